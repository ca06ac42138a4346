export { ApiKeyEntity } from "./api-key.entity.ts";
export type { ApiKey, NewApiKey } from "./api-key.schema.ts";
export { issueKey, revokeKey } from "./issue.ts";
export { keysRouter } from "./router.ts";
