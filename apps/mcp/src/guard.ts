import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { AppError, hasLongHost, issue } from "@terse/core";
import type { Settings } from "@terse/server";
import type { MiddlewareHandler } from "hono";

/**
 * Blocks requests from pages of other sites, including DNS rebinding: Host must be MCP_URL's, and Origin must be absent
 * or one of ours. Loopback names are always allowed.
 */
export function guard(settings: Pick<Settings, "MCP_URL" | "BASE_URL">): MiddlewareHandler {
  const { hostname } = new URL(settings.MCP_URL);
  const hosts = [hostname, ...localhostAllowedHostnames()];
  const origins = [...hosts, new URL(settings.BASE_URL).hostname];

  return async (c, next) => {
    if (!validateHostHeader(c.req.header("host"), hosts).ok) {
      throw new AppError(
        "FORBIDDEN",
        issue(["Host"], "forbidden", `must be ${hostname}, the host in MCP_URL`),
      );
    }
    const origin = c.req.header("origin");
    if (hasLongHost(origin ?? "") || !validateOriginHeader(origin, origins).ok) {
      throw new AppError(
        "FORBIDDEN",
        issue(["Origin"], "forbidden", "pages of other sites may not call this server"),
      );
    }
    await next();
  };
}
