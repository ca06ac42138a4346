export { decide, type Rule } from "./decide.ts";
export { createRedirects } from "./resolve.ts";
export { issueUnlockToken } from "./unlock-token.ts";
export { toRoute } from "./route.ts";
export type { AbTest, Decision, GeoRule, Visitor } from "./redirects.types.ts";
