import { type ConsoleFiles, loadConsole } from "@terse/console";
import type { Core } from "@terse/core";
import {
  createClientInfo,
  health,
  listen,
  type Listener,
  type Logger,
  measureRequests,
  type Node,
  createProbes,
  createRequestSpans,
  nameSpans,
  requestLog,
  securityTxt,
  securityTxtPath,
  type ServerEnv,
  type Settings,
  withSecurityHeaders,
} from "@terse/server";
import { Hono } from "hono";
import { assistantRoutes } from "./assistants/routes.ts";
import { choicesOf } from "./auth/providers.ts";
import { authRoutes } from "./auth/routes.ts";
import { bucketPreviewRoutes } from "./bucket-preview.ts";
import { consoleRoutes } from "./console.ts";
import { crossOrigin } from "./cors.ts";
import { docsRoutes } from "./docs/routes.ts";
import { failure } from "./envelope.ts";
import { compressed, fixedFile } from "./fixed-file.ts";
import { invitationRoutes } from "./invitation.ts";
import { languageRoutes } from "./language.ts";
import { mailRoutes } from "./mail.ts";
import { notFound } from "./not-found.ts";
import { oauthRoutes } from "./oauth/routes.ts";
import { openApiDocument } from "./openapi/index.ts";
import { rejectOtherMethods } from "./other-methods.ts";
import { restRoutes } from "./rest.ts";
import { scimRoutes } from "./scim/routes.ts";
import { sharedReportRoutes } from "./shared-report/routes.ts";
import { tlsRoutes } from "./tls.ts";
import { trpcRoutes } from "./trpc.ts";

export interface HttpAppOptions {
  core: Core;
  settings: Pick<Settings, "BASE_URL" | "SHORT_BASE" | "MCP_URL" | "TRUSTED_PROXIES" | "OAUTH_PROVIDERS"> &
    Partial<Pick<Settings, "ABUSE_CONTACT" | "GROUP_ROLES">>;
  logger: Logger;
  /** The console's files; without them, `/` leads to the page at `/shorten` */
  console?: ConsoleFiles;
}

/**
 * Creates the API host: REST under /v1, tRPC under /trpc, sign-in of people and of programs, the OpenAPI document, the console and
 * the pages.
 */
export function createHttpApp({ core, settings, logger, console }: HttpAppOptions): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const baseOrigin = new URL(settings.BASE_URL).origin;
  // Made on first use, since it takes a fifth of the start.
  let description: string | undefined;
  const describe = () => (description ??= JSON.stringify(openApiDocument(core, settings.BASE_URL)));

  app.use(requestLog(logger, createClientInfo(settings.TRUSTED_PROXIES)));
  app.use(withSecurityHeaders(settings.BASE_URL));
  app.use(measureRequests(core.meter, "http"), nameSpans(core.tracer));
  app.use("/v1/*", crossOrigin);
  app.use(async (c, next) => {
    c.set("errorsUrl", `${baseOrigin}/docs/errors`);
    await next();
  });

  app.get("/health", health);
  app.get(
    "/openapi.json",
    fixedFile("application/json; charset=UTF-8", compressed(describe), {
      "Cache-Control": "no-cache",
      "Access-Control-Allow-Origin": "*",
    }),
  );
  const { ABUSE_CONTACT: contact } = settings;
  if (contact)
    app.get(securityTxtPath, (c) => {
      const { body, headers } = securityTxt(contact);
      return c.body(body, 200, headers);
    });
  app.route("/", languageRoutes(settings.BASE_URL));
  app.route("/", authRoutes({ core, settings, logger }));
  const choices = choicesOf(settings.OAUTH_PROVIDERS, baseOrigin);
  app.route("/", oauthRoutes({ core, settings, logger, choices }));
  app.route("/", mailRoutes(core));
  app.route("/", invitationRoutes(core, baseOrigin, choices));
  app.route("/", docsRoutes(core));
  app.route("/", sharedReportRoutes(core, settings.BASE_URL));
  app.route("/", assistantRoutes(settings));
  if (console) app.route("/", consoleRoutes(console, settings.SHORT_BASE));
  else app.get("/", (c) => c.redirect("/shorten"));
  app.route("/", bucketPreviewRoutes(core, baseOrigin, settings.SHORT_BASE));
  app.route("/", tlsRoutes(core));
  app.route("/", scimRoutes(core, baseOrigin));
  app.route("/", trpcRoutes(core, baseOrigin));
  app.route("/", restRoutes(core, baseOrigin));

  rejectOtherMethods(app);
  app.notFound(notFound);
  app.onError((error, c) => failure(c, error));
  return app;
}

/**
 * Opens the API host in this process.
 * @throws {ListenError} if the address or port is not available
 */
export async function serveHttp(
  options: HttpAppOptions & { settings: Pick<Settings, "HOST" | "HTTP_PORT">; node?: Node },
): Promise<Listener> {
  const { core, settings, logger, node } = options;
  const listener = await listen({
    name: "http",
    ...(node && { probes: createProbes(node, logger) }),
    spans: createRequestSpans(core.tracer, settings.TRUSTED_PROXIES),
    app: createHttpApp({ ...options, console: await loadConsole() }),
    host: settings.HOST,
    port: settings.HTTP_PORT,
    portSetting: "HTTP_PORT",
    logger,
  });
  return {
    ...listener,
    close(graceMs) {
      // It would wait for them.
      core.live.end();
      return listener.close(graceMs);
    },
  };
}
