export { createHttpApp, type HttpAppOptions, serveHttp } from "./app.ts";
export { openApiDocument, withWholeBodies } from "./openapi/index.ts";
export { type Operation, operationsOf } from "./operations.ts";
