export { identitiesOf, unlinkIdentity } from "./identities.ts";
export { IdentityEntity } from "./identity.entity.ts";
export { LoginLinkEntity } from "./login-link.entity.ts";
export { issueLoginLink, redeemLoginLink } from "./login-links.ts";
export { identitiesRouter } from "./router.ts";
export { signIn } from "./sign-in.ts";
