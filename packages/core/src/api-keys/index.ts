export { ApiKeyEntity } from "./api-key.entity.ts";
export { actorOfKey } from "./authenticate.ts";
export { issueKey } from "./issue.ts";
export { keysOf } from "./list.ts";
export { recordKey } from "./record.ts";
export { revokeAllKeys, revokeKey } from "./revoke.ts";
export { keysRouter } from "./router.ts";
