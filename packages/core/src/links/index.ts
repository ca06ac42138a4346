export { BucketEntity } from "./bucket.entity.ts";
export { claimSlug, type InsertOutcome, slugTaken } from "./claim.ts";
export { type CreationLimit, createCreationLimit } from "./creation-limit.ts";
export { createImporter } from "./import.ts";
export { type AbTest, type GeoRule, LinkEntity } from "./link.entity.ts";
export { slugInput, urlInput } from "./link.input.ts";
export { linksRouter } from "./router.ts";
