export { createRedirectApp, type RedirectApp, type RedirectAppOptions } from "./app.ts";
export { clickLogOf, countAndClose } from "./core.ts";
export { redirectListenOptions, type RedirectServerOptions, serveRedirects } from "./serve.ts";
export { WorkersError } from "./workers/worker-process.ts";
