export { createRedirectApp, type RedirectAppOptions } from "./app.ts";
export { redirectListenOptions } from "./server.ts";
