export { createRedirectApp, type RedirectAppOptions } from "./app.ts";
