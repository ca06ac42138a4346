import type { Account, Core, Meta } from "@terse/core";
import type { Ask } from "./client.ts";

/** The ids that samples refer to */
export interface Ids {
  link: string;
  bucket: string;
  key: string;
  session: string;
  domain: string;
}

type Input = Record<string, unknown>;

/** One valid input of every procedure. A procedure without one fails the tests that walk the router. */
const samples: Record<string, (ids: Ids) => Input> = {
  "links.create": () => ({ url: "https://example.com/" }),
  "links.list": () => ({ page: 1, limit: 10, search: "example" }),
  "links.get": ({ link }) => ({ id: link }),
  "links.locate": ({ link }) => ({ id: link }),
  "links.update": ({ link }) => ({ id: link, title: "Changed" }),
  "links.explain": ({ link }) => ({ id: link, country: "DE", at: "2031-01-31T12:00:00Z", unlocked: true }),
  "links.qr": ({ link }) => ({ id: link, size: 300, color: "#036", level: "Q" }),
  "links.delete": ({ link }) => ({ id: link }),
  "buckets.create": () => ({ name: "A page", links: [{ title: "A link", url: "https://example.com/" }] }),
  "buckets.list": () => ({ page: 1, limit: 10 }),
  "buckets.get": ({ bucket }) => ({ id: bucket }),
  "buckets.update": ({ bucket }) => ({ id: bucket, name: "Changed" }),
  "buckets.delete": ({ bucket }) => ({ id: bucket }),
  "buckets.stats": ({ bucket }) => ({ id: bucket }),
  "analytics.overview": ({ link }) => ({ period: "7d", compare: true, tz: "Europe/Berlin", linkId: link }),
  "analytics.realtime": () => ({}),
  "analytics.link": ({ link }) => ({ id: link, period: "24h", compare: true, tz: "Asia/Kathmandu" }),
  "analytics.export": () => ({ format: "json", period: "all", tz: "UTC" }),
  "analytics.dailyStats": ({ link }) => ({ id: link, from: "2026-03-28", to: "2026-03-30" }),
  "users.me": () => ({}),
  "users.updateConsents": () => ({ marketing: true }),
  "sessions.list": () => ({}),
  "sessions.end": ({ session }) => ({ id: session }),
  "sessions.endAll": () => ({}),
  "domains.list": () => ({}),
  "domains.create": () => ({ domain: "go.example.com" }),
  "domains.verify": ({ domain }) => ({ id: domain }),
  "domains.delete": ({ domain }) => ({ id: domain }),
  "keys.create": () => ({ name: "build server" }),
  "keys.list": () => ({}),
  "keys.delete": ({ key }) => ({ id: key }),
};

export function sampleOf(name: string, ids: Ids): Input {
  const sample = samples[name];
  if (!sample) throw new Error(`Give ${name} a valid input in test/samples.ts`);
  return sample(ids);
}

/** An id of the right form that nothing has */
export const unknownId = "01900000-0000-7000-8000-000000000000";
export const noIds: Ids = {
  link: unknownId,
  bucket: unknownId,
  key: unknownId,
  session: unknownId,
  domain: unknownId,
};

/**
 * A domain of an account of any plan, for the operations that are about one; the others have none, since an account
 * that has one may create no other.
 */
export async function domainFor(operation: string, core: Core, account: Account): Promise<string> {
  if (operation !== "domains.verify" && operation !== "domains.delete") return unknownId;
  const owner = { kind: "account", account: { ...account, plan: "pro" }, credential: "internal" } as const;
  return (await core.caller(owner).domains.create({ domain: "go.example.com" })).id;
}

/** An input as the REST request that carries it: path, then query string or JSON body. */
export function restRequest(
  { method, path }: Pick<NonNullable<Meta["openapi"]>, "method" | "path">,
  input: Input,
): [method: string, path: string, ask: Ask] {
  const rest = new Map(Object.entries(input));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  if (method !== "GET" && method !== "DELETE")
    return [method, filled, rest.size > 0 ? { json: Object.fromEntries(rest) } : {}];
  const query = new URLSearchParams(
    Array.from(rest, ([name, value]): [string, string] => [name, String(value)]),
  );
  return [method, rest.size > 0 ? `${filled}?${query.toString()}` : filled, {}];
}
