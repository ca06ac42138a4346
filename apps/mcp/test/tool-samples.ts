import { appRouter, proceduresOf } from "@terse/core";
import { fixtureOf, unknownIds } from "@terse/core/fixtures";
import { browserUserAgent } from "@terse/testkit";
import { servers } from "../src/servers.ts";
import { now, type TestApp } from "./app.ts";

/** The ids of an account's links */
export interface Ids {
  link: string;
  spare: string;
}

type Arguments = Record<string, unknown>;
type Rest = (
  method: string,
  path: string,
) => Promise<{ data: Record<string, unknown>; meta: object; text: string }>;

interface Sample {
  /** Arguments other than the input of the procedure's fixture */
  arguments?(ids: Ids): Arguments;
  /** The same answer, assembled from those of REST */
  expected(rest: Rest, ids: Ids, answer: Record<string, unknown>): Promise<unknown>;
}

const linkOf = async (rest: Rest, id: unknown) => (await rest("GET", `/v1/links/${String(id)}`)).data;

/** The UTC date N days ago */
const dayBefore = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);

const links = [
  { title: "One", url: "https://example.com/1" },
  { title: "Two", url: "https://example.com/2" },
];

/** What every tool answers. A tool without a sample fails the tests that walk the list. */
export const samples: Record<string, Sample> = {
  create_link: {
    arguments: () => ({
      url: "https://example.com/new",
      title: "New",
      password: "open sesame",
      starts_at: "2031-01-01T12:00:00+02:00",
      expires_at: "2031-01-31T12:00:00+02:00",
      click_limit: 100,
      fallback_url: "https://example.com/over",
      geo_rules: [{ country: "de", url: "https://example.de/" }],
      ab_test: {
        variants: [
          { url: "https://example.com/a", weight: 1 },
          { url: "https://example.com/b", weight: 3 },
        ],
      },
    }),
    expected: (rest, _ids, { id }) => linkOf(rest, id),
  },
  list_links: {
    arguments: () => ({ page: 1, limit: 1, search: "EXAMPLE", fields: ["id", "shortUrl", "destination"] }),
    async expected(rest) {
      const { data, meta } = await rest("GET", "/v1/links?page=1&limit=1&search=EXAMPLE");
      const rows = data as unknown as Arguments[];
      return {
        links: rows.map(({ id, shortUrl, destination }) => ({ id, shortUrl, destination })),
        ...meta,
      };
    },
  },
  get_link: {
    expected: (rest, { link }) => linkOf(rest, link),
  },
  update_link: {
    arguments: ({ link }) => ({ id: link, title: "Changed", is_active: 0, clear: ["expires_at"] }),
    expected: async (rest, { link }) => ({ ...(await linkOf(rest, link)), note: "Removed: expires_at" }),
  },
  delete_link: {
    expected: async (rest, { link, spare }) => ({
      ...(await rest("DELETE", `/v1/links/${spare}`)).data,
      id: link,
    }),
  },
  get_analytics: {
    arguments: ({ link }) => ({
      id: link,
      period: "7d",
      compare: true,
      tz: "Europe/Berlin",
      device: ["desktop", "tv"],
      country: ["!DE"],
    }),
    async expected(rest, { link }) {
      const query = "period=7d&compare=true&tz=Europe/Berlin&device=desktop&device=tv&country=!DE";
      // What is not asked for by `fields` is left out; lists of this account are short.
      const {
        channels: _,
        bots_by: __,
        ...data
      } = (await rest("GET", `/v1/analytics/link/${link}?${query}`)).data;
      return data;
    },
  },
  get_link_stats_by_period: {
    arguments: ({ link }) => ({ id: link, from: dayBefore(6), to: dayBefore(0) }),
    async expected(rest, { link }) {
      const { data } = await rest("GET", `/v1/analytics/link/${link}?period=7d`);
      const series = data["timeseries"] as { start: string; clicks: number; visitors: number }[];
      return { days: series.map(({ start, ...counts }) => ({ date: start.slice(0, 10), ...counts })) };
    },
  },
  generate_qr: {
    arguments: ({ link }) => ({ id: link, size: 300, color: "#036" }),
    async expected(rest, { link }) {
      const { text } = await rest("GET", `/v1/links/${link}/qr?size=300&color=036`);
      const { slug } = await linkOf(rest, link);
      return {
        content_type: "image/svg+xml",
        file_name: `${String(slug)}.svg`,
        disposition: "inline",
        body: text,
      };
    },
  },
  list_buckets: {
    arguments: () => ({ page: 1, limit: 1 }),
    async expected(rest) {
      const { data, meta } = await rest("GET", "/v1/buckets?page=1&limit=1");
      const rows = data as unknown as Arguments[];
      return {
        buckets: rows.map(({ id, slug, shortUrl, name, links: items }) => ({
          id,
          slug,
          shortUrl,
          name,
          links: items,
        })),
        ...meta,
      };
    },
  },
  list_members: {
    expected: async (rest) => ({ members: (await rest("GET", "/v1/members")).data }),
  },
  invite_member: {
    arguments: () => ({ email: "ada@example.com", role: "viewer" }),
    async expected(rest, _ids, { url }) {
      const { data } = await rest("GET", "/v1/invitations");
      return { ...(data as unknown as Arguments[])[0], url };
    },
  },
  create_bucket: {
    expected: async (rest, _ids, { id }) => (await rest("GET", `/v1/buckets/${String(id)}`)).data,
  },
};

const nameOf = new Map(proceduresOf(appRouter).map(([name, procedure]) => [procedure, name]));

/** The test data of the procedure that a tool calls */
export const fixtureOfTool = (name: string) =>
  fixtureOf(nameOf.get(servers[1].tools[name]?.procedure as never) ?? "");

/** A valid call of a tool, and what it answers */
export function sampleOf(name: string): Required<Sample> {
  const sample = samples[name];
  if (!sample) throw new Error(`${name} has no sample: add one to apps/mcp/test/tool-samples.ts`);
  const fixture = fixtureOfTool(name);
  return { arguments: ({ link }) => fixture.input({ ...unknownIds, link }), ...sample };
}

/** A new account with a key, two links with clicks, and a bucket if its plan allows */
export async function seedAccount(
  { core, key: newKey }: TestApp,
  plan: "free" | "pro" | "enterprise" = "pro",
) {
  const { key, id: keyId, account } = await newKey(plan);
  const caller = core.caller({ kind: "account", account, credential: "internal" });
  const [link, spare] = [
    await caller.links.create({ url: "https://example.com/own" }),
    await caller.links.create({ url: "https://example.com/spare" }),
  ];
  if (plan !== "free") await caller.buckets.create({ name: "Own", links });
  // A person and a bot, so that no figure is zero.
  await core.clicks.record({ link_id: link.id, user_agent: browserUserAgent, address: "192.0.2.1" });
  await core.clicks.record({ link_id: link.id, user_agent: "curl/8" });
  const ids: Ids = { link: link.id, spare: spare.id };
  return { key, keyId, account, link, ids };
}
