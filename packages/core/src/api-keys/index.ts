export { ApiKeyEntity } from "./api-key.entity.ts";
export { actorOfKey } from "./authenticate.ts";
export { issueKey, revokeAllKeys, revokeKey } from "./issue.ts";
export { keysRouter } from "./router.ts";
