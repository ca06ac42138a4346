import { parseArgs } from "node:util";
import type { Account, Core } from "@terse/core";
import type { Pool } from "pg";
import { type BenchDatabase, openDatabase, openPool } from "./database.ts";
import { median } from "./compare.ts";

const rounds = 12;
const accountsBeside = 10;
const target = 50;
const dayMs = 86_400_000;

type List = ReturnType<Core["caller"]>["links"]["list"];
type Input = Exclude<Parameters<List>[0], void | undefined>;

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

/** Each filter, and combinations of which none alone is selective. */
const filters: readonly (readonly [name: string, filter: Input])[] = [
  ["none", {}],
  ["tag (30 %)", { tag: "tag 1" }],
  ["tag (1 %)", { tag: "tag 30" }],
  ["two tags (9 %)", { tag: ["tag 1", "tag 2"] }],
  ["state active (94 %)", { state: "active" }],
  ["state inactive (3 %)", { state: "inactive" }],
  ["state expired (3 %)", { state: "expired" }],
  ["has password (1 %)", { has: "password" }],
  ["has rules (2 %)", { has: "rules" }],
  ["has ab_test (0.1 %)", { has: "ab_test" }],
  ["created this week", { created_from: daysAgo(7) }],
  ["created long ago", { created_to: daysAgo(700) }],
  ["not clicked for 90 days", { last_click_before: daysAgo(90) }],
  ["not clicked for 360 days", { last_click_before: daysAgo(360) }],
  ["domain (90 %)", { domain: "short.test" }],
  ["domain (10 %)", { domain: "go.bench.example" }],
  ["search (all)", { search: "example" }],
  ["search (one)", { search: "page-77777x" }],
  ["tag and inactive", { tag: "tag 2", state: "inactive" }],
  ["tag and rules, created in a year", { tag: "tag 3", has: "rules", created_from: daysAgo(365) }],
];
const sorts = ["created_at", "updated_at", "click_count", "last_click_at", "slug"].flatMap(
  (column) => [column, `-${column}`] as Input["sort"][],
);

interface Measured {
  filter: string;
  sort: string;
  /** Milliseconds of each request, sorted */
  times: number[];
  /** Milliseconds of reading the same rows by their ids */
  bare: number;
}

/**
 * Lists with each filter and sort: an account with a million links (or `--links`), against ten accounts with a tenth each, and
 * against a bare select of the same rows.
 */
export async function run(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { links: { type: "string", default: "1000000" } },
  });
  const links = Number(values.links);
  const many = await measure(links, 1);
  print(`One account with ${links.toLocaleString("en")} links`, many);
  const few = await measure(links / accountsBeside, accountsBeside);
  print(`One of ${accountsBeside} accounts with ${(links / accountsBeside).toLocaleString("en")} links`, few);
  const ratio = p95(allTimes(many)) / p95(allTimes(few));
  console.log(
    `\np95 of all requests: ${ms(p95(allTimes(many)))} (target ${target} ms), ${ratio.toFixed(2)} × that of the smaller accounts (target 2)`,
  );
}

async function measure(links: number, accounts: number): Promise<Measured[]> {
  const database = await openDatabase();
  const pool = openPool(database.url, 1);
  try {
    const owners = [database.account];
    for (let at = 1; at < accounts; at++)
      owners.push(
        await database.core.accounts.create({ email: `bench${at}@example.com`, plan: "enterprise" }),
      );
    await seed(pool, owners, links);
    return await ask(database, pool);
  } finally {
    await pool.end();
    await database.close();
  }
}

/** Makes links of every kind. The search index is built afterwards, as that is faster. */
async function seed(pool: Pool, owners: readonly Account[], links: number): Promise<void> {
  const startedAt = performance.now();
  const { rows } = await pool.query<{ sql: string }>(
    "select pg_get_indexdef('links_search'::regclass) as sql",
  );
  await pool.query("drop index links_search");
  for (const [at, { id }] of owners.entries()) {
    const domain = at === 0 ? "go.bench.example" : `go.bench${at}.example`;
    await pool.query(
      `insert into domains (id, account_id, domain, status, challenge, created_at, verified_at)
       values (gen_random_uuid(), $1, $2, 'verified', '', now(), now())`,
      [id, domain],
    );
    await pool.query(
      `insert into links (id, account_id, domain_id, slug, destination, title, created_at, updated_at, is_active,
         expires_at, password_hash, geo_rules, ab_test, click_count, last_click_at)
       select md5(n::text || $1::uuid::text)::uuid, $1::uuid,
         case when random() < 0.1 then d.id else '00000000-0000-0000-0000-000000000000' end,
         'a' || n || 'x' || $4::int, 'https://example.com/' || md5(n::text) || '/page-' || n || 'x', 'Title ' || md5('t' || n),
         created, created + random() * (now() - created), random() > 0.03,
         case when random() < 0.06 then now() + (random() - 0.5) * interval '1 year' end,
         case when random() < 0.01 then 'scrypt$a$b' end,
         case when random() < 0.02 then '[{"country": "DE", "url": "https://de.example/"}]'::jsonb end,
         case when random() < 0.001
           then '{"variants": [{"url": "https://a.example/", "weight": 1}, {"url": "https://b.example/", "weight": 1}]}'::jsonb end,
         clicks, case when clicks > 0 then now() - power(random(), 2) * (now() - created) end
       from (
         select n, now() - (1 - n::float8 / $2::int) * interval '730 days' as created,
           case when random() < 0.6 then ceil(power(random(), -1.2))::bigint % 1000000 else 0 end as clicks
         from generate_series(1, $2::int) n
       ) t, domains d where d.domain = $3`,
      [id, links, domain, at],
    );
    await pool.query(
      "insert into tags (account_id, name, key) select $1, 'tag ' || n, 'tag ' || n from generate_series(1, 50) n",
      [id],
    );
    // The more links have a tag, the smaller its number.
    await pool.query(
      `insert into link_tags select t.id, l.id from links l join tags t using (account_id)
       where account_id = $1 and random() < 0.3 / substr(t.key, 5)::int`,
      [id],
    );
  }
  await pool.query("set maintenance_work_mem = '512MB'");
  await pool.query(rows[0]?.sql ?? "");
  await pool.query("vacuum analyze");
  console.error(
    `${owners.length} × ${links} links were made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
}

async function ask({ core, account }: BenchDatabase, pool: Pool): Promise<Measured[]> {
  const { links } = core.caller({ kind: "account", account, credential: "internal" });
  const measured: Measured[] = [];
  for (const [name, filter] of filters) {
    for (const sort of sorts) {
      const times: number[] = [];
      const bare: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const startedAt = performance.now();
        const { data } = await links.list({ ...filter, sort });
        const answeredAt = performance.now();
        await pool.query("select * from links where id = any($1)", [data.map(({ id }) => id)]);
        // The first round warms up.
        if (round > 0) {
          times.push(answeredAt - startedAt);
          bare.push(performance.now() - answeredAt);
        }
      }
      measured.push({
        filter: name,
        sort: sort ?? "",
        times: times.toSorted((a, b) => a - b),
        bare: median(bare),
      });
    }
  }
  return measured;
}

const allTimes = (measured: readonly Measured[]) =>
  measured.flatMap(({ times }) => times).toSorted((a, b) => a - b);
const p95 = (sorted: readonly number[]) => sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
const ms = (time: number) => `${time.toFixed(1)} ms`;

function print(title: string, measured: readonly Measured[]): void {
  console.log(`\n${title}: first pages of all ${sorts.length} sorts\n`);
  console.log("| Filter | p50 | p95 | The slowest sort | Its p50 | × a bare select of the same rows |");
  console.log("|---|---|---|---|---|---|");
  for (const [name] of filters) {
    const some = measured.filter(({ filter }) => filter === name);
    const times = allTimes(some);
    const slowest = some.toSorted((a, b) => median(b.times) - median(a.times))[0];
    if (!slowest) continue;
    const ratio = median(times) / median(some.map(({ bare }) => bare));
    console.log(
      `| ${name} | ${ms(median(times))} | ${ms(p95(times))} | ${slowest.sort} | ${ms(median(slowest.times))} | ${ratio.toFixed(1)} |`,
    );
  }
}
