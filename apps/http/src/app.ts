import { AppError, type Core } from "@terse/core";
import {
  createClientInfo,
  health,
  type Logger,
  requestLog,
  type ServerEnv,
  type Settings,
  withSecurityHeaders,
} from "@terse/server";
import { Hono } from "hono";
import { authRoutes } from "./auth/routes.ts";
import { docsRoutes } from "./docs.ts";
import { failure } from "./envelope.ts";
import { refuseOtherMethods } from "./methods.ts";
import { openApiDocument } from "./openapi.ts";
import { restRoutes } from "./rest.ts";
import { tlsRoutes } from "./tls.ts";
import { trpcRoutes } from "./trpc.ts";

export interface HttpAppOptions {
  core: Core;
  settings: Pick<Settings, "BASE_URL" | "TRUSTED_PROXIES" | "OAUTH_PROVIDERS">;
  logger: Logger;
}

/** The API host: REST under /v1, tRPC under /trpc, signing in, the API's description and its pages. */
export function createHttpApp({ core, settings, logger }: HttpAppOptions): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const baseOrigin = new URL(settings.BASE_URL).origin;
  const document = JSON.stringify(openApiDocument(core, settings.BASE_URL));

  app.use(requestLog(logger, createClientInfo(settings.TRUSTED_PROXIES)));
  app.use(withSecurityHeaders);

  app.get("/health", health);
  app.get("/openapi.json", (c) =>
    c.body(document, 200, { "Content-Type": "application/json; charset=UTF-8" }),
  );
  app.route("/", authRoutes({ core, settings, logger }));
  app.route("/", docsRoutes());
  app.route("/", tlsRoutes(core));
  app.route("/", trpcRoutes(core, baseOrigin));
  app.route("/", restRoutes(core, baseOrigin));

  refuseOtherMethods(app);
  app.notFound((c) => failure(c, new AppError("NOT_FOUND", "No such path; /docs lists them all")));
  app.onError((error, c) => failure(c, error));
  return app;
}
