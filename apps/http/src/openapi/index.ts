export { openApiDocument } from "./document.ts";
export { withoutComponents } from "./components.ts";
