export { openApiDocument } from "./document.ts";
export { withWholeBodies } from "./shared-bodies.ts";
