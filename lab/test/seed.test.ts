import { join } from "node:path";
import { countryOf } from "@terse/core";
import { createTestCore, type TestCore } from "@terse/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countries } from "../seed/data/countries.ts";
import { dayMs, planLinks } from "../seed/plan-links.ts";
import { planVisits } from "../seed/plan-visits.ts";
import { Random } from "../clicks/random.ts";
import { createVisitors } from "../seed/visitors.ts";
import { runCommand } from "../../apps/standalone/test/process.ts";

describe("the plan of a demo account", () => {
  const to = Date.UTC(2026, 5, 15, 12);
  const plan = (seed: number, end = to) => {
    const period = { from: end - 90 * dayMs, to: end };
    const links = planLinks(100, period, new Random(seed));
    return { links, visits: [...planVisits(links, { people: 2000, bots: 100 }, period, seed)] };
  };

  test("is the same for the same seed, and another one for another", () => {
    expect(plan(1)).toEqual(plan(1));
    expect(plan(2)).not.toEqual(plan(1));
  });

  test("has no slug twice", () => {
    const slugs = planLinks(2000, { from: to - 90 * dayMs, to }, new Random(1)).map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(2000);
  });

  test("has the same links on another day, at other times", () => {
    const names = ({ links }: ReturnType<typeof plan>) =>
      links.map(({ slug, url, title }) => [slug, url, title]);
    expect(names(plan(1, to + 3 * dayMs))).toEqual(names(plan(1)));
  });

  test("has every kind of link, also with few links", () => {
    const links = planLinks(20, { from: to - 90 * dayMs, to }, new Random(1));
    const has = {
      password: links.some(({ hasPassword }) => hasPassword),
      expired: links.some(({ expiresAt }) => expiresAt !== null && expiresAt < to),
      expires: links.some(({ expiresAt }) => expiresAt !== null && expiresAt > to),
      off: links.some(({ switchedOffAt }) => switchedOffAt !== null),
      geo: links.some(({ geoRules }) => geoRules.length > 0),
      test: links.some(({ abTest }) => abTest !== null),
      tags: links.some(({ tags }) => tags.length > 1),
      unicode: links.some(({ slug }) => /[^\x00-\x7F]/.test(slug)),
    };
    expect(Object.entries(has).filter(([, there]) => !there)).toEqual([]);
  });

  test("has visits during the lives of the links only, from the countries of its table", () => {
    const known = new Set<string | null>(countries.map(([code]) => code));
    for (const { time, target, address } of plan(1).visits) {
      expect(time).toBeGreaterThanOrEqual(target.life.from);
      expect(time).toBeLessThan(target.life.to);
      expect(known).toContain(countryOf("", address));
    }
  });
});

test("the demo's bots come from many countries", () => {
  const visitors = createVisitors(1);
  const links = planLinks(20, { from: 0, to: 90 * dayMs }, new Random(1));
  const bots = links.flatMap((link, at) =>
    Array.from({ length: 10 }, (_, n) => visitors.bot(link, new Random(2, at, n))),
  );
  expect(new Set(bots.map(({ address }) => countryOf("", address))).size).toBeGreaterThan(4);
});

const program = join(import.meta.dirname, "../seed/main.ts");

describe("the demo account", () => {
  let service: TestCore;
  beforeAll(async () => {
    service = await createTestCore();
  });
  afterAll(() => service.close());

  async function seed(...args: string[]) {
    const { output, ended } = runCommand(process.execPath, [program, ...args], {
      env: { DATABASE_URL: service.databaseUrl },
    });
    return { code: await ended, ...output };
  }
  async function callerOf(email: string) {
    const account = await service.core.accounts.byEmail(email);
    return service.core.caller({ kind: "account", account, credential: "internal" });
  }
  const sum = (rows: readonly { clicks: number }[]) => rows.reduce((total, { clicks }) => total + clicks, 0);

  test("makes an account whose analytics count exactly what was seeded", async () => {
    const { code, stdout, stderr } = await seed("--links", "24", "--clicks", "500", "--days", "60", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^\{.*\}\n$/);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({
      email: "demo@terse.local",
      links: 24,
      buckets: 4,
      domain: { domain: "go.alderpine.example", status: "pending" },
      keys: 4,
      clicks: 500,
      bots: 30,
      bucket_clicks: 25,
    });

    const caller = await callerOf("demo@terse.local");
    const overview = await caller.analytics.overview({ period: "all", group_by: ["utm_source"] });
    expect(overview.groups?.map(({ utm_source }) => utm_source)).toEqual(
      expect.arrayContaining(["(none)", "newsletter"]),
    );
    expect(overview).toMatchObject({ clicks: 500, bots: 30 });
    for (const list of ["countries", "devices", "browsers", "os", "referrers", "top_links"] as const)
      expect(sum(overview[list] as { clicks: number }[]), list).toBe(500);
    const { data: links, meta } = await caller.links.list({ limit: 100 });
    expect(meta.total).toBe(24);
    expect(sum(links.map(({ click_count }) => ({ clicks: click_count })))).toBe(500);
    expect(links.every(({ created_at }) => created_at >= answer.from && created_at < answer.to)).toBe(true);
    const { data: buckets } = await caller.buckets.list({});
    const stats = await Promise.all(buckets.map(({ id }) => caller.buckets.stats({ id })));
    expect(stats.reduce((total, { views, clicks }) => total + views + clicks, 0)).toBe(25);

    // Made in the order of time, by somebody.
    const byAge = links.toReversed();
    const history = await caller.links.history({ id: byAge[0]?.id ?? "" });
    expect(history.data.at(-1)?.by).toMatchObject({ kind: "session" });
    const activity = await caller.activity.list({ limit: 100 });
    const times = activity.data.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(answer.sign_in).toMatch(/^http:\/\/localhost:\d+\/auth\/local\?token=/);
    expect(await service.core.credentials.byKey(answer.key)).toMatchObject({ kind: "account" });
    expect(await service.core.clicks.rebuild()).toMatchObject({ clicks: 555, differences: [] });
  });

  test("refuses an account that exists, and changes nothing", async () => {
    await service.core.accounts.create({ email: "ada@example.com" });
    const emails = ["demo@terse.local", "ada@example.com"];
    const runs = await Promise.all(emails.map((email) => seed("--email", email)));
    expect(runs).toEqual(
      emails.map((email) => ({
        code: 1,
        stdout: "",
        stderr: `${email} already has an account, and seed fills only new ones: nothing was changed. Choose another --email\n`,
      })),
    );
    const total = async (email: string) => (await (await callerOf(email)).links.list({})).meta.total;
    expect(await total("demo@terse.local")).toBe(24);
    expect(await total("ada@example.com")).toBe(0);
  });

  test("makes a second account beside the first, with other names, and describes it in words", async () => {
    const options = ["--email", "second@terse.local", "--links", "3", "--clicks", "20", "--days", "2"];
    const { code, stdout, stderr } = await seed(...options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("go.alderpine.example (pending)");
    expect(stdout).toMatch(/terse_[\w-]{43}/);
    const { data: links } = await (await callerOf("second@terse.local")).links.list({ search: "get-2" });
    expect(links).toMatchObject([{ slug: "get-2" }]);
  });

  test("refuses bad options with exit code 1 and a sentence; --help ends with 0", async () => {
    const runs = await Promise.all([
      seed("--clicks", "many"),
      seed("--links", "0"),
      seed("--email", "ada"),
      seed("--reset"),
      seed("--help"),
    ]);
    expect(runs).toMatchObject([
      { code: 1, stdout: "", stderr: expect.stringMatching(/--clicks.*a whole number from 0 to 5000000/) },
      { code: 1, stdout: "", stderr: expect.stringMatching(/--links.*a whole number from 1 to 5000/) },
      { code: 1, stdout: "", stderr: "email: is not an e-mail address\n" },
      { code: 1, stdout: "", stderr: expect.stringContaining("unknown option '--reset'") },
      { code: 0, stdout: expect.stringContaining("--clicks <number>"), stderr: "" },
    ]);
  });
});
