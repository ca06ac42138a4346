export { BucketEntity } from "./bucket.entity.ts";
export { insertWithUniqueSlug, slugUpdateError } from "./unique-slug.ts";
export { createImporter } from "./import.ts";
export { LinkEntity } from "./link.entity.ts";
export { slugInput } from "./link.input.ts";
export { linkSchema } from "./link.schema.ts";
export { findLink } from "./find.ts";
export { toLink } from "./link.view.ts";
export { linksRouter } from "./router.ts";
