import type { Account, Core } from "@terse/core";
import { png } from "@terse/testkit/png";
import type { Pool } from "pg";
import { packAll } from "./pack-all.ts";
import { createVisits } from "../clicks/visits.ts";

/** What the dearest requests ask for. */
export interface CostData {
  /** The Pro account has `linksOf.pro` links and a year of clicks, the Free one `linksOf.free` links. */
  pro: { key: string; account: Account };
  free: { key: string; account: Account };
  /** The Pro account's most clicked link */
  popular: string;
  /** A link of each account */
  link: { free: string; pro: string };
  domain: string;
  /** A bucket's id */
  bucket: string;
  slugs: Record<"bucket" | "password" | "countries" | "test" | "queries" | "merged", string>;
}

export const linksOf = { free: 10_000, pro: 100_000 };
const longLinks = 1000;
const fullLinks = 100;
const days = 365;
const clicksPerDay = 200;
const dayMs = 86_400_000;

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
export const randomText = (length: number): string =>
  Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join("");

/** Two-letter codes that are countries. */
const countries =
  "AD AE AF AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS YE ZA ZM ZW".split(
    " ",
  );
/** Country rules that fill a request's body. */
export const manyRules = countries.map((country) => ({
  country,
  url: `https://example.com/${randomText(230)}`,
}));

/** Fills a database. `core` writes its click log; `end` is what its clock says, after the first hour of a day, in which nothing is packed. */
export async function fill(core: Core, pool: Pool, end: Date): Promise<CostData> {
  const make = async (plan: "free" | "pro") => {
    const account = await core.accounts.create({ email: `${plan}@example.com`, plan });
    return { account, key: (await core.keys.issue(account.id)).key };
  };
  const [free, pro] = [await make("free"), await make("pro")];
  const callerOf = (account: Account) => core.caller({ kind: "account", account, credential: "internal" });
  const { links, buckets, domains } = callerOf(pro.account);

  process.stderr.write(`  ${linksOf.pro.toLocaleString("en")} links …\n`);
  // The index is quicker to make once than with each link.
  const { rows: indexes } = await pool.query<{ definition: string }>(
    "select pg_get_indexdef('links_search'::regclass) as definition",
  );
  await pool.query("drop index links_search");
  for (const [{ account }, prefix, count] of [
    [pro, "a", linksOf.pro],
    [free, "free", linksOf.free],
  ] as const) {
    await pool.query(
      `insert into links (id, account_id, slug, destination, title, created_at, updated_at)
       select gen_random_uuid(), $1, $2 || n, 'https://example.com/' || md5(n::text), 'Title ' || md5('t' || n), $4, $4
       from generate_series(0, $3::int - 1) n`,
      [account.id, prefix, count, new Date(end.getTime() - dayMs)],
    );
  }
  await pool.query(indexes[0]?.definition ?? "");
  const { rows: clicked } = await pool.query<{ id: string }>(
    "select id from links where account_id = $1 limit 10000",
    [pro.account.id],
  );
  const ids = clicked.map(({ id }) => id);
  const { data } = await links.list({ limit: 1 });
  for (let at = 0; at < longLinks; at++)
    await links.create({ url: `https://example.com/${randomText(7900)}` });
  for (let at = 0; at < fullLinks; at++) {
    await links.create({ url: `https://example.com/${randomText(1000)}`, geo_rules: manyRules });
  }
  for (let at = 0; at < 100; at++) {
    const items = Array.from({ length: 10 }, (_, nth) => ({
      title: `${nth}${"短".repeat(99)}`,
      url: `https://example.com/${randomText(5800)}`,
    }));
    await buckets.create({ name: "短".repeat(100), slug: `bucket${at}`, links: items });
  }
  const url = "https://example.com/";
  const variants = Array.from({ length: 4 }, (_, at) => ({ url: `${url}${at}`, weight: 1 }));
  await links.create({ url, slug: "password", password: "swordfish" });
  await links.create({ url, slug: "countries", geo_rules: manyRules });
  await links.create({ url, slug: "test", ab_test: { variants } });
  const asked = (rule: number) =>
    Array.from({ length: 10 }, (_, at) => ({ name: "a", value: `${rule}${at}` }));
  const rules = Array.from({ length: 50 }, (_, at) => ({ url, when: { query: asked(at) } }));
  await links.create({ url, slug: "queries", rules });
  await links.create({ url: `${url}?${"a&".repeat(1900)}`, slug: "merged", forward_query: "keep" });
  const noise = png(192, 192, () => Array.from({ length: 4 }, () => Math.floor(Math.random() * 256)));
  for (const { account } of [free, pro])
    await callerOf(account).links.setQrLogo({ image: noise.toString("base64") });

  process.stderr.write(`  ${(days * clicksPerDay).toLocaleString("en")} clicks …\n`);
  const visit = createVisits(ids);
  for (let day = 1; day <= days; day++) {
    const start = Date.now() - (days - day + 1) * dayMs;
    await Promise.all(Array.from({ length: clicksPerDay }, () => core.clicks.record(visit(start))));
    if (day % 10 === 0) await core.clicks.drain();
  }
  await core.clicks.drain();
  await packAll(core, pool, end);
  await pool.query("vacuum analyze");
  const { rows } = await pool.query<{ id: string }>("select id from links order by click_count desc limit 1");
  const own = await callerOf(free.account).links.list({ limit: 1 });
  return {
    pro,
    free,
    popular: rows[0]?.id ?? "",
    link: { free: own.data[0]?.id ?? "", pro: data[0]?.id ?? "" },
    domain: (await domains.create({ domain: "go.bench-cost.com" })).id,
    bucket: (await buckets.list({ limit: 1 })).data[0]?.id ?? "",
    slugs: {
      bucket: "bucket0",
      password: "password",
      countries: "countries",
      test: "test",
      queries: "queries",
      merged: "merged",
    },
  };
}
