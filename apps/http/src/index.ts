export { createHttpApp, type HttpAppOptions, serveHttp } from "./app.ts";
export { openApiDocument } from "./openapi.ts";
