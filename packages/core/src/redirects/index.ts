export { createRedirects } from "./resolve.ts";
