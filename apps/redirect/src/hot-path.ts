import type { IncomingMessage, ServerResponse } from "node:http";
import {
  agentOf,
  campaignIn,
  isLinkPreview,
  joinHints,
  type Meter,
  type RawClick,
  type RedirectCore,
  toAscii,
  type Visitor,
} from "@terse/core/redirect";
import {
  createClientInfo,
  requestIdFrom,
  requestIdHeader,
  securityHeadersOf,
  type Settings,
} from "@terse/server";
import { redirectHeaders } from "./answer.ts";
import { createMeasure } from "./measure.ts";
import { type Head, headerOf, readHead } from "./request-head.ts";
import { parseTarget, plainSlugOf } from "./request-target.ts";

/**
 * Redirects cached links of the service's own host that are plain, or whose rules decide at once, and passes everything else
 * to `next`. The response equals the app's, header for header. These requests are not in the request log, because each one
 * is in the click log.
 */
export function createHotPath({
  core,
  settings,
  meter,
}: {
  core: RedirectCore;
  settings: Pick<Settings, "SHORT_BASE" | "TRUSTED_PROXIES">;
  meter?: Meter;
}): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  const { redirects, clicks } = core;
  const measure = createMeasure(meter);
  const clientInfo = settings.TRUSTED_PROXIES.length > 0 ? createClientInfo(settings.TRUSTED_PROXIES) : null;
  const ownHost = new URL(settings.SHORT_BASE).host;
  const fixedHeaders = Object.entries({
    ...redirectHeaders,
    ...securityHeadersOf(settings.SHORT_BASE),
  }).flat();

  return (request, response, next) => {
    if (request.method !== "GET") return next();
    const slug = plainSlugOf(request.url as string);
    if (slug === null) return next();
    const head = readHead(request.rawHeaders);
    if (head.host !== ownHost || head.special) return next();
    const now = Date.now();
    const started = measure === null ? 0 : performance.now();
    const peer = request.socket.remoteAddress ?? "";
    const client = clientInfo?.(peer, { get: (name) => headerOf(request.rawHeaders, name) });
    const address = client?.address ?? peer;
    const country = client?.country ?? "";
    const route =
      redirects.peek(slug, now) ??
      redirects.decideAtOnce(slug, now, visitorOf(core, request, head, address, country));
    if (route === null) return next();

    const { destination } = route;
    const click: RawClick = {
      link_id: route.link_id,
      time: now,
      address,
      user_agent: head.userAgent ?? "",
      referrer: head.referrer ?? "",
      client_hints: hintsIn(head),
      campaign: campaignIn(request.url as string, destination),
      country,
      flags: 0,
      variant: -1,
    };
    clicks.append(click, () => {
      response.writeHead(route.status ?? 302, [
        "Location",
        destination,
        requestIdHeader,
        requestIdFrom(head.requestId),
        ...fixedHeaders,
      ]);
      response.end();
      measure?.redirected(started);
    });
  };
}

/** Client hints as clicks keep them. */
const hintsIn = (head: Head) => joinHints(head.brands, head.mobile, head.platform);

/** The visitor behind a request, as the app describes it. No link that is decided here asks for the id. */
function visitorOf(
  core: Pick<RedirectCore, "countryOf">,
  request: IncomingMessage,
  head: Head,
  address: string,
  country: string,
): Visitor {
  return {
    country: () => core.countryOf(country, address),
    id: () => "",
    query: () => toAscii(parseTarget(request.url as string, "").query),
    isLinkPreview: () => isLinkPreview(head.userAgent ?? ""),
    language: () => headerOf(request.rawHeaders, "accept-language") ?? "",
    referrer: () => head.referrer ?? "",
    agent: () => agentOf(head.userAgent ?? "", hintsIn(head)),
    address: () => address,
  };
}
