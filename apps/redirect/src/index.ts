export { createRedirectApp, type RedirectAppOptions } from "./app.ts";
export { clickLogOf, countAndClose } from "./click-log.ts";
export { serveRedirects, type ServeOptions } from "./serve.ts";
export { redirectListenOptions } from "./server.ts";
export { WorkersError } from "./workers/run.ts";
