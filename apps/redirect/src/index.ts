export { createRedirectApp, type RedirectAppOptions } from "./app.ts";
export { clickLogOf } from "./click-log.ts";
export { countAndClose } from "./count-and-close.ts";
export { serveRedirects, type ServeOptions } from "./serve.ts";
export { redirectListenOptions } from "./listen-options.ts";
export { WorkersError } from "./workers/worker-process.ts";
