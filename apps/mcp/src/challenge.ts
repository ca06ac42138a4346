import { toFailure } from "@terse/core";
import {
  anyOrigin,
  metadataPathsOf,
  metadataUrlOf,
  resourceMetadata,
  type ServerEnv,
  type Settings,
} from "@terse/server";
import { type Context, Hono } from "hono";
import { resourceOf, type Server, servers } from "./servers.ts";
import { InsufficientScope } from "./step-up.ts";

/** Where programs learn that they can sign their user in, and where (RFC 9728); pages of any site may read it. */
export function metadataRoutes(settings: Pick<Settings, "MCP_URL" | "BASE_URL">): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  for (const server of servers) {
    const { name, scopes } = server;
    const resource = resourceOf(server, settings);
    const metadata = resourceMetadata(settings, { resource, name, scopes });
    // The path without that of a resource is the first server's.
    const [own = "", ...shared] = metadataPathsOf(resource);
    const paths = server === servers[0] ? [own, ...shared] : [own];
    for (const path of paths) app.get(path, (c) => c.json(metadata, 200, anyOrigin));
  }
  return app;
}

/**
 * The challenge of a refusal (RFC 6750 section 3, RFC 9728 section 5.1): on 401 where to sign in and what to ask for, and
 * on 403 what a program must ask for to do more.
 */
export function challengeFor(
  c: Context,
  error: unknown,
  server: Server,
  resource: string,
): Record<string, string> {
  const isInvalid = toFailure(error).status === 401 && c.req.header("authorization") !== undefined;
  if (toFailure(error).status !== 401 && !(error instanceof InsufficientScope)) return {};
  const parameters = {
    realm: "terse",
    ...(isInvalid && { error: "invalid_token" }),
    ...(error instanceof InsufficientScope && { error: "insufficient_scope" }),
    scope: (error instanceof InsufficientScope ? error.wanted : server.scopes).join(" "),
    resource_metadata: metadataUrlOf(resource),
  };
  const list = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return { "WWW-Authenticate": `Bearer ${list.join(", ")}` };
}
