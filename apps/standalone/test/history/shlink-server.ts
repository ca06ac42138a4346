import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Version = "3" | "4.2" | "5";

/** A short URL with its visits, oldest first, as Shlink stores them. */
export interface StoredShortUrl {
  shortCode: string;
  longUrl: string;
  visits: StoredVisit[];
  domain?: string | null;
  title?: string | null;
  tags?: string[];
  dateCreated?: string;
  meta?: { validSince?: string | null; validUntil?: string | null; maxVisits?: number | null };
  forwardQuery?: boolean;
  redirectRules?: { longUrl: string; priority: number; conditions: object[] }[];
  /** Of Shlink 3 */
  deviceLongUrls?: Record<string, string | null>;
}

export interface StoredVisit {
  referer: string;
  date: string;
  userAgent: string;
  potentialBot: boolean;
  visitLocation: object | null;
}

/** A server that answers as the REST API of Shlink does, 5 or an older version, from what a test stores in it. */
export async function startShlink(shortUrls: StoredShortUrl[], orphans = 0, version: Version = "5") {
  const state = { requests: [] as string[], failing: 0, retryAfter: null as number | null };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://shlink");
    state.requests.push(`${url.pathname}${url.search}`);
    const send = (status: number, body: object, headers = {}) => {
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    };
    if (state.failing > 0) {
      state.failing -= 1;
      if (state.retryAfter === null) return response.destroy();
      return send(503, {}, { "Retry-After": String(state.retryAfter) });
    }
    if (request.headers["x-api-key"] !== "secret")
      return send(401, { title: "Invalid API key", type: "https://shlink.io/api/error/invalid-api-key" });
    const answer = answerTo(url, shortUrls, orphans, version);
    return answer === null ? send(404, { title: "Short URL not found" }) : send(200, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state };
}

function answerTo(
  url: URL,
  shortUrls: readonly StoredShortUrl[],
  orphans: number,
  version: Version,
): object | null {
  const query = url.searchParams;
  const path = url.pathname.replace("/rest/v3", "");
  if (path === "/visits") {
    const total = shortUrls.reduce((sum, { visits }) => sum + visits.length, 0);
    return { visits: { nonOrphanVisits: summary(total), orphanVisits: summary(orphans) } };
  }
  if (path === "/short-urls") {
    const byDate = shortUrls
      .map((stored) => shown(stored, version))
      .toSorted((a, b) => (a.dateCreated < b.dateCreated ? -1 : 1));
    return { shortUrls: paged(byDate, query) };
  }
  const [, code, what] = /^\/short-urls\/([^/]+)\/(visits|redirect-rules)$/.exec(path) ?? [];
  const domain = query.get("domain");
  const found = shortUrls.find(
    (each) => each.shortCode === decodeURIComponent(code ?? "") && (each.domain ?? null) === domain,
  );
  if (!found) return null;
  if (what === "redirect-rules")
    return version === "3"
      ? null
      : { defaultLongUrl: found.longUrl, redirectRules: found.redirectRules ?? [] };
  const until = Date.parse(query.get("endDate") ?? "9999-01-01");
  const visits = found.visits.filter(({ date }) => Date.parse(date) <= until);
  // By id, not by date: the newest first.
  return { visits: paged(visits.toReversed(), query) };
}

function summary(total: number, bots = 0) {
  return { total, nonBots: total - bots, bots };
}

const shown = (stored: StoredShortUrl, version: Version) => ({
  shortUrl: `https://${stored.domain ?? "s.example"}/${stored.shortCode}`,
  shortCode: stored.shortCode,
  longUrl: stored.longUrl,
  dateCreated: stored.dateCreated ?? "2019-01-01T00:00:00+00:00",
  tags: stored.tags ?? [],
  meta: { validSince: null, validUntil: null, maxVisits: null, ...stored.meta },
  domain: stored.domain ?? null,
  title: stored.title ?? null,
  crawlable: false,
  forwardQuery: stored.forwardQuery ?? false,
  visitsSummary: summary(
    stored.visits.length,
    stored.visits.filter(({ potentialBot }) => potentialBot).length,
  ),
  ...(version === "3" && { visitsCount: stored.visits.length, deviceLongUrls: stored.deviceLongUrls }),
  ...(version === "5" && { hasRedirectRules: stored.redirectRules !== undefined }),
});

function paged<Item>(items: readonly Item[], query: URLSearchParams) {
  const itemsPerPage = Number(query.get("itemsPerPage") ?? 10);
  const currentPage = Number(query.get("page") ?? 1);
  const data = items.slice((currentPage - 1) * itemsPerPage, currentPage * itemsPerPage);
  return {
    data,
    pagination: {
      currentPage,
      pagesCount: Math.ceil(items.length / itemsPerPage),
      itemsPerPage,
      itemsInCurrentPage: data.length,
      totalItems: items.length,
    },
  };
}
