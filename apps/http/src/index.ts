export { createHttpApp, type HttpAppOptions, serveHttp } from "./app.ts";
export { openApiDocument, withoutComponents } from "./openapi/index.ts";
export { type Operation, operationsOf } from "./operations.ts";
