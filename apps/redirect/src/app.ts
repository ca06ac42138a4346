import type { Meter, RedirectCore } from "@terse/core/redirect";
import {
  createClientInfo,
  type Logger,
  nameSpans,
  requestLog,
  securityTxt,
  securityTxtPath,
  type ServerEnv,
  type Settings,
  withSecurityHeaders,
} from "@terse/server";
import { Hono } from "hono";
import { type Answer, failed, methodNotAllowed, send } from "./answer.ts";
import { isAvatarPath, showAvatar } from "./avatar.ts";
import { fixedFiles, health } from "./files.ts";
import { domainFiles, serveDomainFile } from "./domain.ts";
import { followLink } from "./follow.ts";
import { notFoundPage } from "./pages/message.ts";
import { createMeasure } from "./measure.ts";
import { isPreviewPath, limitReport, previewLink } from "./preview.ts";
import { targetOf } from "./request-target.ts";

export interface RedirectAppOptions {
  core: RedirectCore;
  settings: Pick<Settings, "SHORT_BASE" | "TRUSTED_PROXIES"> & Partial<Pick<Settings, "ABUSE_CONTACT">>;
  logger: Logger;
  /** Counts what is answered; without it, nothing is measured. */
  meter?: Meter;
}

/** Creates the short-link host: `/{slug}` on its own host and on custom domains, its pages, and a few fixed paths. */
export function createRedirectApp({ core, settings, logger, meter }: RedirectAppOptions): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>({
    getPath: (request, options) => targetOf(request, options?.env).path,
  });

  app.use(requestLog(logger, createClientInfo(settings.TRUSTED_PROXIES)));
  // A custom domain's owner may need plain http for it one day, which no browser would accept for a year.
  const ownHost = new URL(settings.SHORT_BASE).host;
  app.use(withSecurityHeaders(settings.SHORT_BASE, (c) => targetOf(c.req.raw, c.env).host === ownHost));

  app.use(nameSpans(core.tracer));

  const serve = (path: string, file: Answer) => {
    app.get(path, (c) => send(c, file));
    app.all(path, async (c) => send(c, await methodNotAllowed("GET, HEAD")));
  };
  serve("/health", health);
  const measure = createMeasure(meter);
  if (measure) {
    app.use(async (c, next) => {
      const started = performance.now();
      await next();
      measure.answered(c.res.status, started);
    });
  }
  app.use(async (c, next) => {
    const { host } = targetOf(c.req.raw, c.env);
    return (await core.redirects.isServed(host)) ? next() : send(c, await notFoundPage());
  });
  for (const [path, file] of Object.entries(fixedFiles)) serve(path, file);
  const { ABUSE_CONTACT: contact } = settings;
  if (contact) app.get(securityTxtPath, (c) => securityTxt(c, contact));
  for (const [path, field] of Object.entries(domainFiles)) {
    app.on(["GET", "HEAD"], path, serveDomainFile(core, field));
    app.all(path, async (c) => send(c, await methodNotAllowed("GET, HEAD")));
  }
  const follow = followLink(core, settings.SHORT_BASE);
  const preview = previewLink(core, settings);
  const avatar = showAvatar(core);
  app.get("/*", (c, next) => (isAvatarPath(c.req.path) ? avatar(c, next) : next()));
  app.post("/*", (c, next) => (isPreviewPath(c.req.path) ? limitReport(c, next) : next()));
  app.all("/*", (c, next) => (isPreviewPath(c.req.path) ? preview(c, next) : next()));
  app.all("/*", follow);

  app.notFound(async (c) => send(c, await notFoundPage()));
  app.onError(async (error, c) => send(c, await failed(error)));
  return app;
}
