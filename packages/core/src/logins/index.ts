export { IdentityEntity } from "./identity.entity.ts";
export { issueLink, redeemLink } from "./links.ts";
export { LoginLinkEntity } from "./login-link.entity.ts";
export { signIn } from "./sign-in.ts";
