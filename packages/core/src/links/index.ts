export { type CreationLimit, createCreationLimit, type RateLimitState } from "./creation-limit.ts";
export { createImporter, type Importer, type ImportResult, type ImportRow } from "./import.ts";
export { type AbTest, type GeoRule, LinkEntity } from "./link.entity.ts";
export type { Link } from "./link.schema.ts";
export { verifyPassword } from "./password.ts";
export { linksRouter } from "./router.ts";
