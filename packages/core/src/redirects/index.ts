export { createRedirects, type Decision, type Redirects, type Visitor } from "./resolve.ts";
