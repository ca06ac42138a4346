import type { Context } from "hono";
import type { ServerEnv } from "./request-log.ts";

/** Whether browsers come over https, so that cookies can keep to it: our public address says so, or a trusted proxy. */
export const isSecure = (c: Context<ServerEnv>, publicAddress: string): boolean =>
  publicAddress.startsWith("https:") || c.var.client.protocol === "https";
