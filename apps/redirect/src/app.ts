import type { ServerResponse } from "node:http";
import type { Meter, RedirectCore } from "@terse/core/redirect";
import {
  chooseLanguage,
  createClientInfo,
  createRequestLog,
  isLanguagePath,
  isSecure,
  type Logger,
  nameSpan,
  onceSent,
  requestIdFrom,
  requestIdHeader,
  securityHeadersOf,
  securityTxt,
  securityTxtPath,
  type Settings,
} from "@terse/server";
import { type Answer, failed, methodNotAllowed, redirectTo } from "./answer.ts";
import { showAvatar } from "./avatar.ts";
import { fixedFiles, health } from "./files.ts";
import { domainFile, domainFiles } from "./domain.ts";
import { followLink } from "./follow.ts";
import { notFoundPage, rootPage } from "./pages/message.ts";
import { createMeasure } from "./measure.ts";
import { previewLink } from "./preview.ts";
import { createVisit, type Incoming, type Visit } from "./visit.ts";

export interface RedirectAppOptions {
  core: RedirectCore;
  settings: Pick<Settings, "SHORT_BASE" | "TRUSTED_PROXIES"> &
    Partial<Pick<Settings, "ABUSE_CONTACT" | "ROOT_URL">>;
  logger: Logger;
  /** Counts answers; without it, nothing is measured. */
  meter?: Meter;
}

/** An answer with the headers that all answers have. */
export type SentAnswer = Omit<Answer, "headers"> & { readonly headers: Record<string, string | string[]> };

/** Answers a request, which is logged once the response was sent. Throws nothing. */
export type RedirectApp = (request: Incoming, response?: ServerResponse) => Promise<SentAnswer>;

/**
 * Creates the short-link host: `/{slug}` on its own host and on custom domains, its pages, and a few fixed paths. It uses
 * Node's own requests and responses, so that a process that only redirects does without the classes of `fetch`.
 */
export function createRedirectApp({ core, settings, logger, meter }: RedirectAppOptions): RedirectApp {
  const clientInfo = createClientInfo(settings.TRUSTED_PROXIES);
  const log = createRequestLog(logger);
  const measure = createMeasure(meter);
  const answerVisit = createRoutes(core, settings);
  const ownHost = new URL(settings.SHORT_BASE).host;
  const ownHeaders = securityHeadersOf(settings.SHORT_BASE);
  // A custom domain's owner may need plain http for it one day, which no browser would accept for a year.
  const otherHeaders = securityHeadersOf("http:");

  return async (request, response) => {
    const started = performance.now();
    const visit = createVisit(request, clientInfo);
    const { method, target, cookies } = visit;
    const id = requestIdFrom(visit.header(requestIdHeader));
    let thrown: unknown;
    const { status, headers, body } = await answerVisit(visit).catch((error: unknown) => {
      thrown = error;
      return failed(visit, error);
    });
    if (target.path !== healthPath) measure?.answered(status, started);
    const { address } = visit.client;
    onceSent(response, (aborted) =>
      log({ id, method, path: target.path, address, started }, status, thrown, aborted),
    );
    return {
      status,
      body,
      headers: {
        ...headers,
        [requestIdHeader]: id,
        ...(target.host === ownHost ? ownHeaders : otherHeaders),
        ...(cookies.length > 0 && { "Set-Cookie": cookies }),
        // A body that is too large is not read to its end.
        ...(status === 413 && { Connection: "close" }),
      },
    };
  };
}

/** Sends an answer; Node leaves out its body if the request is HEAD. */
export function send(response: ServerResponse, { status, headers, body }: SentAnswer): void {
  response.writeHead(status, { ...headers, "Content-Length": body === null ? 0 : Buffer.byteLength(body) });
  response.end(body ?? undefined);
}

const healthPath = "/health";
const isRead = (method: string) => method === "GET" || method === "HEAD";

/** Returns what finds the answer to a visit by its method, host and path. */
function createRoutes(
  core: RedirectCore,
  settings: RedirectAppOptions["settings"],
): (visit: Visit) => Promise<Answer> {
  const { redirects, tracer } = core;
  const { ABUSE_CONTACT: contact, ROOT_URL: rootUrl } = settings;
  const follow = followLink(core, settings.SHORT_BASE);
  const preview = previewLink(core, settings);
  const avatar = showAvatar(core);

  /** What every served host has at a fixed path. */
  const files = new Map<string, (visit: Visit) => Answer | Promise<Answer>>();
  for (const [path, file] of Object.entries(fixedFiles)) files.set(path, () => file);
  for (const [path, field] of Object.entries(domainFiles))
    files.set(path, (visit) => domainFile(core, visit, field));
  if (contact) files.set(securityTxtPath, () => ({ status: 200, ...securityTxt(contact) }));

  const choose = (visit: Visit): Answer | Promise<Answer> => {
    const headers = chooseLanguage(visit.target.path, {
      referrer: visit.header("referer"),
      hosts: [visit.target.host.toLowerCase()],
      secure: isSecure(visit, settings.SHORT_BASE),
    });
    return headers === null ? notFoundPage(visit.words) : { status: 303, headers, body: null };
  };

  const serveFile = async (visit: Visit, path: string, file: (visit: Visit) => Answer | Promise<Answer>) => {
    nameSpan(tracer, visit.method, path);
    return isRead(visit.method) ? file(visit) : methodNotAllowed(visit, "GET, HEAD");
  };

  return async (visit) => {
    const { method, target } = visit;
    if (target.path === healthPath) return serveFile(visit, healthPath, () => health);
    if (isLanguagePath(target.path)) return serveFile(visit, target.path, choose);
    if (!(await redirects.isServed(target.host))) return notFoundPage(visit.words);
    const file = files.get(target.path);
    if (file) return serveFile(visit, target.path, file);
    // Custom domains have an address for it among their settings.
    if (target.path === "/" && (await redirects.domain(target.host)) === null)
      return serveFile(visit, "/", () => (rootUrl ? redirectTo(rootUrl) : rootPage(visit.words)));
    const page = (isRead(method) ? await avatar(visit) : null) ?? (await preview(visit));
    return page ?? follow(visit);
  };
}
