import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";

/** Whether browsers come over https, so that their cookies can keep to it: BASE_URL says so, or a trusted proxy. */
export const isSecure = (c: Context<ServerEnv>, baseOrigin: string): boolean =>
  baseOrigin.startsWith("https:") || c.var.client.protocol === "https";
