export { createHttpApp, type HttpAppOptions } from "./app.ts";
export { serveHttp } from "./serve.ts";
