import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Core, RawClick } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { tempFolder } from "@terse/testkit";
import { anonymous, clickOn, depsOf, url } from "../../helpers.ts";
import { drainOf, filesIn, logClicks, number } from "./helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);

/** User agents of clicks, and what should be stored of them. */
const agents = [
  {
    user_agent:
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    stored: ["desktop", "Chrome", "Windows"],
  },
  {
    user_agent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    stored: ["mobile", "Safari", "iOS"],
  },
  {
    user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    stored: ["desktop", "Firefox", "Linux"],
  },
  { user_agent: "curl/8.5.0", stored: null },
] as const;
const referrers = [
  ["", "", "direct"],
  ["https://m.facebook.com/a?b", "facebook.com", "social"],
  ["android-app://com.slack/", "com.slack", "other"],
] as const;
const countries = ["DE", "FR", ""] as const;
/** Around the bounds of quarter hours, days, months and a year, and one on a leap day. */
const times = [
  "2025-12-31T23:59:59.999Z",
  "2026-01-01T00:00:00.000Z",
  "2026-01-31T23:30:00.000Z",
  "2026-02-01T00:14:59.999Z",
  "2026-02-01T00:15:00.000Z",
  "2026-02-01T00:59:59.999Z",
  "2026-02-01T01:00:00.000Z",
  "2024-02-29T12:00:00.000Z",
].map((time) => Date.parse(time));

const choice = fc.record({
  link: fc.nat(4),
  agent: fc.nat(agents.length - 1),
  referrer: fc.nat(referrers.length - 1),
  country: fc.nat(countries.length - 1),
  time: fc.nat(times.length - 1),
  visitor: fc.nat(3),
  isHead: fc.nat(7).map((one) => one === 0),
  variant: fc.integer({ min: -1, max: 2 }),
});
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never;

/** Five links: three of an account, one of another, and an anonymous one. */
async function newLinks() {
  const [one, two] = [await actor("pro"), await actor("pro")];
  const owners = [one, one, one, two, anonymous];
  const links = await Promise.all(owners.map((owner) => core.caller(owner).links.create({ url })));
  return { ids: links.map(({ id }) => id), accounts: [one, one, one, two].map(({ account }) => account.id) };
}

const rawClick = (ids: readonly string[], one: Choice): RawClick =>
  clickOn(ids[one.link] ?? "", {
    time: times[one.time] ?? 0,
    address: `10.0.0.${one.visitor}`,
    user_agent: agents[one.agent]?.user_agent ?? "",
    referrer: referrers[one.referrer]?.[0] ?? "",
    country: countries[one.country] ?? "",
    flags: one.isHead ? 1 : 0,
    variant: one.variant,
  });

/** Counts in the simplest way. Each line is a row. */
function naiveCount(
  choices: readonly Choice[],
  ids: readonly string[],
  accounts: readonly string[],
): string[] {
  const seen = new Set<string>();
  const sums = new Map<string, number[]>();
  const lines: string[] = [];
  const lastClicks = new Map<string, number>();
  const add = (key: string, amounts: number[]) =>
    sums.set(
      key,
      (sums.get(key) ?? amounts.map(() => 0)).map((sum, at) => sum + (amounts[at] ?? 0)),
    );
  for (const one of choices) {
    const iso = new Date(times[one.time] ?? 0).toISOString();
    const day = iso.slice(0, 10);
    const quarterHour = `${iso.slice(0, 14)}${["00", "15", "30", "45"][Math.floor(Number(iso.slice(14, 16)) / 15)]}`;
    const stored = agents[one.agent]?.stored ?? null;
    const isBot = one.isHead || stored === null;
    const visitor = `${one.link} ${day} ${one.visitor} ${one.agent}`;
    const isUnique = !isBot && !seen.has(visitor);
    if (!isBot) seen.add(visitor);
    const link = ids[one.link] ?? "";
    const account = accounts[one.link];
    const variant = one.variant < 0 ? "none" : String(one.variant);
    lines.push(`click ${link} ${account ?? "nobody"} ${iso} ${variant} bot:${isBot} unique:${isUnique}`);
    for (const [kind, owner] of [
      ["link", link],
      ["account", account],
    ] as const) {
      if (owner === undefined) continue;
      const counts = isBot ? [0, 0, 1] : [1, isUnique ? 1 : 0, 0];
      add(`${kind} quarter hour ${owner} ${quarterHour}`, counts);
      add(`${kind} day ${owner} ${day}`, counts);
      if (isBot) continue;
      const values = {
        country: countries[one.country],
        device: stored?.[0],
        browser: stored?.[1],
        os: stored?.[2],
        referrer: referrers[one.referrer]?.[1],
        channel: referrers[one.referrer]?.[2],
        ...(kind === "account" && { link }),
        ...(kind === "link" && one.variant >= 0 && { variant }),
      };
      for (const [name, value] of Object.entries(values)) {
        add(`${kind} day ${owner} ${day} ${name}=${value}`, [1]);
        if (kind === "account") add(`account month ${owner} ${day.slice(0, 7)}-01 ${name}=${value}`, [1]);
      }
    }
    if (isBot || one.link === deletedLink) continue;
    add(`count ${link}`, [1]);
    lastClicks.set(link, Math.max(times[one.time] ?? 0, lastClicks.get(link) ?? 0));
  }
  for (const [link, time] of lastClicks) lines.push(`last click ${link} ${new Date(time).toISOString()}`);
  for (const [key, amounts] of sums) lines.push(`${key}: ${amounts.join(" ")}`);
  return lines.toSorted();
}

/** The same lines from the database. */
async function storedLines(of: Core, ids: readonly string[], accounts: readonly string[]): Promise<string[]> {
  const utc = (time: string, format: string) => `to_char(${time} at time zone 'UTC', '${format}')`;
  const quarterHours = (kind: string) =>
    `select '${kind} quarter hour ' || ${kind}_id || ' ' || ${utc("start", 'YYYY-MM-DD"T"HH24:MI')} || ': '
       || clicks || ' ' || visitors || ' ' || bots as line from ${kind}_quarter_hours where ${kind}_id = any($1)`;
  const days = (kind: string) =>
    `select '${kind} day ' || ${kind}_id || ' ' || day || ': ' || clicks || ' ' || visitors || ' ' || bots
     from ${kind}_days where ${kind}_id = any($1)`;
  const values = (kind: string, period: string) =>
    `select '${kind} ${period} ' || ${kind}_id || ' ' || ${period} || ' ' || dimension || '=' || value || ': ' || clicks
     from ${kind}_${period}_values where ${kind}_id = any($1)`;
  const { rows } = await depsOf(of).pool.query<{ line: string }>(
    `${quarterHours("link")} union all ${quarterHours("account")} union all ${days("link")} union all ${days("account")}
     union all ${values("link", "day")} union all ${values("account", "day")} union all ${values("account", "month")}
     union all select 'count ' || id || ': ' || click_count from links where id = any($1) and click_count > 0
     union all select 'last click ' || id || ' ' || ${utc("last_click_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')}
       from links where id = any($1) and last_click_at is not null
     union all select 'click ' || link_id || ' ' || coalesce(u.id::text, 'nobody') || ' '
       || ${utc("to_timestamp((c.id >> 20) / 1000.0)", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')} || ' '
       || coalesce(variant::text, 'none') || ' bot:' || is_bot || ' unique:' || is_unique
     from clicks c left join users u on number = account_number where link_id = any($1)`,
    [[...ids, ...accounts]],
  );
  return rows.map(({ line }) => line).toSorted();
}

/** The link that is deleted in the middle. */
const deletedLink = 1;

describe("every figure", () => {
  it("equals a simple count, whatever the clicks and however they are batched", {
    timeout: 120_000,
  }, async () => {
    const halves = fc.tuple(
      fc.array(choice, { maxLength: 120, size: "max" }),
      fc.array(choice, { maxLength: 120, size: "max" }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 20 }),
    );
    const run = async ([before, after, batchSize, perFrame]: [Choice[], Choice[], number, number]) => {
      const { ids, accounts } = await newLinks();
      const folder = await tempFolder();
      const drain = drainOf(core, folder, { batchSize });
      const options = { perFrame, segmentBytes: 3000 };
      await logClicks(
        folder,
        before.map((one) => rawClick(ids, one)),
        options,
      );
      expect(await drain.once()).toBe(before.length);
      // Deleted while some of its clicks are counted and others are still in the log.
      const { pool } = depsOf(core);
      await pool.query(
        `with gone as (delete from links where id = $1 returning *)
         insert into deleted_links (id, account_id, domain_id, slug, destination, title, created_at, deleted_at)
           select id, account_id, domain_id, slug, destination, title, created_at, now() from gone`,
        [ids[deletedLink]],
      );
      await logClicks(
        folder,
        after.map((one) => rawClick(ids, one)),
        options,
      );
      expect(await drain.once()).toBe(after.length);
      expect(await storedLines(core, ids, [...new Set(accounts)])).toEqual(
        naiveCount([...before, ...after], ids, accounts),
      );
      expect(await filesIn(folder)).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(halves, run), { numRuns: 15 });
    // The same for rollups that are not counted by hand here: each has the rows that it would have from raw clicks.
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
  });
});
