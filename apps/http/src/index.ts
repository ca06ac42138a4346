export { createHttpApp, type HttpAppOptions } from "./app.ts";
export { openApiDocument } from "./openapi.ts";
export { serveHttp } from "./serve.ts";
