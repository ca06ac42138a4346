import { png } from "@terse/testkit/png";
import { type CostData, manyRules, randomText } from "./cost-data.ts";

type Caller = "anonymous" | "free" | "pro";

/** One request of which a caller could send many. */
export interface CostRequest {
  caller: Caller;
  /** What it is, for the table */
  what: string;
  host: "http" | "redirect" | "mcp";
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** The Host header; made again for each request */
  name?: () => string;
  /** Made again for each request, so that nothing is answered from a cache */
  body?: () => string | Buffer;
  /** The address that it comes from, made again for each request */
  client?: () => string;
  /** Writes rows, whose size is measured */
  stores?: true;
  /** Sent by eight connections in any case, not only if it is one of the dearest: to the process that redirects */
  floods?: true;
}

const cjk = (count: number) => String.fromCodePoint(...Array.from({ length: count }, (_, at) => 0x4e00 + at));
const json = { "Content-Type": "application/json" };
const longUrl = () => `https://example.com/${randomText(7900)}`;
const worstHost = `https://${cjk(5200)}/`;
const fill = "x".repeat(64_000);

const gzip = { "Accept-Encoding": "gzip" };
const largeFile = 20 * 1024 * 1024;
/** An image of one colour, which a few kilobytes describe */
const largeImage = png(4000, 4000);
const shaped = "dots=rounded&eyes=circle&logo=true";
/** Objects without a field, which fill a body of two megabytes */
const emptyLinks = `{"links":[${"{},".repeat(699_000)}{}]}`;

const largeCsv = `url,title\n${Array.from({ length: 99_999 }, (_, at) => `https://example.com/${at}/${randomText(100)},Title ${at}`).join("\n")}`;
const wrongPassword = {
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  body: () => "password=wrong",
};

const part = () => Math.floor(Math.random() * 254) + 1;
/** An address that has tried no password yet */
export const anyAddress = (): string => `9.${part()}.${part()}.${part()}`;

let domains = 0;
const anyDomain = () => `unknown${domains++}.example`;

/** The dearest requests that we could think of, for each kind of caller. */
export function costRequests({ pro, free, popular, link, domain, bucket, slugs }: CostData): CostRequest[] {
  const anonymous = (what: string, path: string, more: Partial<CostRequest> = {}): CostRequest => ({
    caller: "anonymous",
    what,
    host: "http",
    method: "GET",
    path,
    ...more,
  });
  const post = (body: () => unknown): Partial<CostRequest> => ({
    method: "POST",
    headers: json,
    body: () => JSON.stringify(body()),
  });
  const short = (what: string, path: string, more: Partial<CostRequest> = {}) =>
    anonymous(what, path, { ...more, host: "redirect", headers: { Host: "short.test", ...more.headers } });
  const as =
    (caller: "free" | "pro", key: string) =>
    (what: string, path: string, more: Partial<CostRequest> = {}): CostRequest => ({
      ...anonymous(what, path, more),
      caller,
      headers: { Authorization: `Bearer ${key}`, ...more.headers },
    });
  const byFree = as("free", free.key);
  const byPro = as("pro", pro.key);
  const tool = (name: string, args: object) =>
    byPro(`MCP ${name}`, "/mcp", {
      host: "mcp",
      method: "POST",
      headers: { ...json, Accept: "application/json, text/event-stream", Authorization: `Bearer ${pro.key}` },
      body: () =>
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
    });
  const batch = (name: string, input: object, count = 20) => {
    const inputs = Object.fromEntries(Array.from({ length: count }, (_, at) => [at, input]));
    const names = Array.from({ length: count }, () => name).join(",");
    return `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
  };
  const upload = { method: "PUT", headers: { "Content-Type": "image/png" }, body: () => largeImage };
  const look = { dots: "rounded", eyes: "circle", logo: true };
  const search = (text: string) => `/v1/links?limit=100&search=${encodeURIComponent(text)}`;
  const rules = [1, 2, 3, 4].map((at) => ({ country: ["DE", "FR", "IT", "ES"][at - 1], url: worstHost }));

  return [
    short("a plain redirect", "/a1", { floods: true }),
    short("an unknown slug of 64 emoji", `/${encodeURIComponent("👍🏽".repeat(32))}`),
    short("an unknown path of 15,000 brackets and full stops", `/${").".repeat(7500)}x`),
    short("a redirect with 180 country rules", `/${slugs.countries}`),
    short("a redirect with an A/B test", `/${slugs.test}`),
    short("a bucket's page, 10 links", `/${slugs.bucket}`),
    short("the form of a password link", `/${slugs.password}`),
    short("a wrong password, of another address each time", `/${slugs.password}`, {
      ...wrongPassword,
      client: anyAddress,
    }),
    short(
      "fifty rules that ask for ten parameters each, 15 KB of them",
      `/${slugs.queries}?${"a&".repeat(7400)}`,
    ),
    short("two queries of 4,000 characters that are merged", `/${slugs.merged}?${"b&".repeat(1999)}`),
    short("an unknown custom domain", "/a1", { headers: { Host: "unknown.example" }, floods: true }),
    short("another unknown custom domain each time", "/a1", { name: anyDomain, floods: true }),
    anonymous("the page at /", "/"),
    anonymous("the API documentation's script", "/docs/swagger-ui-bundle.js"),
    anonymous("/openapi.json", "/openapi.json"),
    anonymous("/tls/ask, 253 Chinese letters", `/tls/ask?domain=${encodeURIComponent(cjk(253))}`),
    anonymous("/tls/ask, 1,700 Chinese letters", `/tls/ask?domain=${encodeURIComponent(cjk(1700))}`),
    anonymous("sign-in with a long return path", `/auth/login/x?return_to=/${"%E4%B8%80".repeat(1500)}`),
    anonymous("a path of 15 KB", `/${"a/".repeat(7500)}`),
    anonymous("a Host of 1,700 Chinese letters", "/", { headers: { Host: encodeURIComponent(cjk(1700)) } }),
    anonymous("a link with 7,900 random characters", "/v1/links", {
      ...post(() => ({ url: longUrl() })),
      stores: true,
    }),
    anonymous(
      "a link with four rules for hosts of 5,200 letters (403)",
      "/v1/links",
      post(() => ({ url: "https://example.com/", geo_rules: rules })),
    ),
    anonymous(
      "a link to a host of 5,200 letters (400)",
      "/v1/links",
      post(() => ({ url: worstHost })),
    ),
    anonymous(
      "a link to a host of 253 letters (400)",
      "/v1/links",
      post(() => ({ url: `https://${cjk(253)}/` })),
    ),
    anonymous(
      "64 KB of unknown fields (400)",
      "/v1/links",
      post(() => ({ [fill]: 1 })),
    ),
    anonymous("64 KB of nested arrays (400)", "/v1/links", {
      ...post(() => ({})),
      body: () => `{"url":${"[".repeat(32_000)}${"]".repeat(32_000)}}`,
    }),
    anonymous(
      "a tRPC batch of ten links, a minute's allowance",
      `/trpc/${Array.from({ length: 10 }, () => "links.create").join(",")}?batch=1`,
      {
        ...post(() =>
          Object.fromEntries(
            Array.from({ length: 10 }, (_, at) => [at, { url: `https://example.com/${randomText(3000)}` }]),
          ),
        ),
        stores: true,
      },
    ),
    anonymous("an OAuth client with 64 KB of redirect URIs (400)", "/oauth/register", {
      ...post(() => ({ redirect_uris: Array.from({ length: 2000 }, (_, at) => `http://127.0.0.1/${at}`) })),
    }),
    anonymous("a tRPC batch of 20 lists (400)", batch("links.list", {})),
    anonymous("MCP without a key, a long Origin", "/mcp", {
      host: "mcp",
      method: "POST",
      headers: { Origin: `http://${encodeURIComponent(cjk(1700))}` },
      body: () => "{}",
    }),

    byFree("a page of 100 links", "/v1/links?limit=100"),
    byFree("the last page", "/v1/links?limit=100&page=100"),
    byFree("a search that finds everything", search("e")),
    byFree("a search that finds nothing", search("nothing like this")),
    byFree("a search for 1,600 Chinese letters", search(cjk(1600))),
    byFree("a link with 7,900 random characters", "/v1/links", {
      ...post(() => ({ url: longUrl() })),
      stores: true,
    }),
    byFree("an update to 7,900 random characters", `/v1/links/${link.free}`, {
      ...post(() => ({ url: longUrl() })),
      method: "PUT",
    }),
    byFree("a QR code, 4096 pixels", `/v1/links/${link.free}/qr?size=4096&level=H&margin=32`),
    byFree("a QR code with round dots and a logo, as SVG", `/v1/links/${link.free}/qr?${shaped}`),
    byFree("the same as PNG, 1024 pixels", `/v1/links/${link.free}/qr?${shaped}&format=png&size=1024`),
    byFree("a tRPC batch of 12 QR codes as SVG", batch("links.qr", { id: link.free, ...look }, 12)),
    byFree(
      "a tRPC batch of 3 plain QR codes, 4096 pixels",
      batch("links.qr", { id: link.free, format: "png", size: 4096 }, 3),
    ),
    byFree("a logo of 16 million pixels", "/v1/me/qr-logo", upload),
    byFree("an import of 20 MB of [ (400)", "/v1/imports", {
      ...post(() => ({})),
      body: () => "[".repeat(largeFile),
    }),
    byFree("an import whose source is 20 MB of objects (400)", "/v1/imports", {
      ...post(() => ({})),
      body: () => `{"content":"x","source":[${"{},".repeat(largeFile / 3 - 20)}{}]}`,
    }),
    byFree("2 MB of empty objects as links (400)", "/v1/links/bulk/create", {
      ...post(() => ({})),
      body: () => emptyLinks,
    }),
    byFree("explaining a draft 50 times", "/v1/links/explain", {
      ...post(() => ({ draft: { url: longUrl() }, visits: Array.from({ length: 50 }, () => ({})) })),
    }),
    byFree("explain", `/v1/links/${link.free}/explain?country=DE&user_agent=${"x".repeat(1000)}`),
    byFree("a link's analytics, all", `/v1/analytics/link/${link.free}?period=all&compare=true`),
    byFree("a tRPC batch of three searches", batch("links.list", { search: "example", limit: 100 }, 3)),

    byPro("a page of 100 links with 180 rules each", "/v1/links?limit=100"),
    byPro("the same, compressed", "/v1/links?limit=100", { headers: gzip }),
    byPro("the 1,000th page of links", "/v1/links?limit=100&page=1000"),
    byPro("a search that finds everything", search("e")),
    byPro("a search that finds nothing", search("nothing like this")),
    byPro("a search for 1,600 Chinese letters", search(cjk(1600))),
    byPro("a link with 180 country rules", "/v1/links", {
      ...post(() => ({ url: "https://example.com/", geo_rules: manyRules })),
      stores: true,
    }),
    byPro(
      "a link with 75 rules for hosts of 253 letters (400)",
      "/v1/links",
      post(() => ({
        url: "https://example.com/",
        geo_rules: manyRules.slice(0, 75).map(({ country }) => ({ country, url: `https://${cjk(253)}/` })),
      })),
    ),
    byPro("a bucket with 10 long links", "/v1/buckets", {
      ...post(() => ({
        name: "A page",
        links: Array.from({ length: 10 }, () => ({
          title: "A link",
          url: `https://example.com/${randomText(6000)}`,
        })),
      })),
      stores: true,
    }),
    byPro("a page of 100 buckets with 10 long links", "/v1/buckets"),
    byPro("overview, all, compared", "/v1/analytics/overview?period=all&compare=true&tz=America/St_Johns"),
    byPro("overview, 1y, compared", "/v1/analytics/overview?period=1y&compare=true&tz=Europe/Berlin"),
    byPro("overview, 24h", "/v1/analytics/overview?period=24h&tz=Asia/Kathmandu"),
    byPro(
      "the most clicked link, all",
      `/v1/analytics/link/${popular}?period=all&compare=true&tz=America/St_Johns`,
    ),
    byPro("the last 20 clicks", "/v1/analytics/realtime"),
    byPro("an export of 73,000 clicks", "/v1/analytics/export?period=all&format=json"),
    byPro("the same as Parquet", "/v1/analytics/export?period=all&format=parquet"),
    byPro(
      "a QR code with round dots and a logo as PNG, 2048 pixels",
      `/v1/links/${link.pro}/qr?${shaped}&format=png&size=2048`,
    ),
    byPro("what if the most clicked link had 180 country rules", `/v1/links/${popular}/what-if`, {
      ...post(() => ({ period: "1y", draft: { geo_rules: manyRules } })),
    }),
    byPro("a bucket's image of 16 million pixels", `/v1/buckets/${bucket}/avatar`, upload),
    byPro("an import of 100,000 rows, a dry run (429 after five)", "/v1/imports?dry_run=true", {
      ...post(() => ({})),
      headers: { "Content-Type": "text/csv" },
      body: () => largeCsv,
    }),
    byPro("1,000 links at once, a dry run", "/v1/links/bulk/create", {
      ...post(() => ({
        links: Array.from({ length: 1000 }, () => ({ url: `https://example.com/${randomText(1800)}` })),
        on_error: "continue",
        dry_run: true,
      })),
    }),
    byPro("verifying a domain", `/v1/domains/${domain}/verify`),
    byPro("a tRPC batch of three searches", batch("links.list", { search: "e", limit: 100 }, 3)),
    byPro(
      "a tRPC batch of seven reports",
      batch("analytics.overview", { period: "all", compare: true, tz: "America/St_Johns" }, 7),
    ),
    tool("list_links", { limit: 100 }),
    tool("get_link_stats_by_period", { id: popular, from: "2025-11-23", to: "2026-11-22" }),
    tool("get_analytics", { period: "1y", compare: true }),
    tool("generate_qr", { id: popular, size: 4096, level: "H" }),
    tool("list_buckets", { limit: 100 }),
  ];
}
