import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { AppError } from "@terse/core";
import type { Settings } from "@terse/server";
import type { MiddlewareHandler } from "hono";

/**
 * Keeps other sites' pages out, also those whose name was made to lead here (DNS rebinding): the request must be for
 * MCP_URL's host and come from no page, or from one of ours. This machine's own names are always good.
 */
export function guard(settings: Pick<Settings, "MCP_URL" | "BASE_URL">): MiddlewareHandler {
  const { hostname } = new URL(settings.MCP_URL);
  const hosts = [hostname, ...localhostAllowedHostnames()];
  const origins = [...hosts, new URL(settings.BASE_URL).hostname];

  return async (c, next) => {
    if (!validateHostHeader(c.req.header("host"), hosts).ok) {
      throw new AppError("FORBIDDEN", `Host: must be ${hostname}; clients must use the name in MCP_URL`);
    }
    if (!validateOriginHeader(c.req.header("origin"), origins).ok) {
      throw new AppError("FORBIDDEN", "Origin: pages of other sites may not ask this server");
    }
    await next();
  };
}
