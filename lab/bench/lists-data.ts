import type { Account, Core } from "@terse/core";
import type { Pool } from "pg";

const dayMs = 86_400_000;

type List = ReturnType<Core["caller"]>["links"]["list"];
export type Input = Exclude<Parameters<List>[0], void | undefined>;

/** People of whom none is a member: all have left */
const maker = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, "0")}`;

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

/** Each filter, and combinations of which none alone is selective. Some are of old or of new links only. */
export const filters: readonly (readonly [name: string, filter: Input])[] = [
  ["none", {}],
  ["tag (30 %)", { tag: "tag 1" }],
  ["tag (1 %)", { tag: "tag 30" }],
  ["tag (the oldest 5 %)", { tag: "old" }],
  ["tag (the newest 5 %)", { tag: "new" }],
  ["two tags (4 %)", { tag: ["tag 1", "tag 2"] }],
  ["state active (91 %)", { state: "active" }],
  ["state inactive (3 %)", { state: "inactive" }],
  ["state scheduled (0.5 %)", { state: "scheduled" }],
  ["state expired (5 %)", { state: "expired" }],
  ["state used_up (0.5 %)", { state: "used_up" }],
  ["has password (1 %)", { has: "password" }],
  ["has rules (2 %)", { has: "rules" }],
  ["has ab_test (0.1 %)", { has: "ab_test" }],
  ["has preview (1 %, all new)", { has: "preview" }],
  ["has limit (1 %)", { has: "limit" }],
  ["health broken (0.5 %)", { health: "broken" }],
  ["created this week", { created_from: daysAgo(7) }],
  ["created this month", { created_from: daysAgo(30) }],
  ["created in half a year", { created_from: daysAgo(182) }],
  ["created long ago (4 %)", { created_to: daysAgo(700) }],
  ["created more than a year ago", { created_to: daysAgo(365) }],
  ["created in one month of last year", { created_from: daysAgo(400), created_to: daysAgo(370) }],
  ["not clicked for 90 days", { last_click_before: daysAgo(90) }],
  ["not clicked for 360 days", { last_click_before: daysAgo(360) }],
  ["maker (30 %)", { created_by: maker(1) }],
  ["maker (1 %)", { created_by: maker(2) }],
  ["maker (0.01 %)", { created_by: maker(3) }],
  ["makers who left (71 %), of a thousand", { created_by: "left" }],
  ["domain (80 %)", { domain: "short.test" }],
  ["domain (10 %)", { domain: "go.bench.example" }],
  ["domain (10 %, all old)", { domain: "old.go.bench.example" }],
  ["search (all)", { search: "example" }],
  ["search (1 %)", { search: "abc" }],
  ["search (one)", { search: "page-77777x" }],
  ["tag and inactive", { tag: "tag 2", state: "inactive" }],
  ["tag and rules, created in a year", { tag: "tag 3", has: "rules", created_from: daysAgo(365) }],
  ["search and domain", { search: "abc", domain: "go.bench.example" }],
];

/** Makes links of every kind. The search index is built afterwards, as that is faster. */
export async function seed(pool: Pool, owners: readonly Account[], links: number): Promise<void> {
  const startedAt = performance.now();
  const { rows } = await pool.query<{ sql: string }>(
    "select pg_get_indexdef('links_search'::regclass) as sql",
  );
  await pool.query("drop index links_search");
  for (const [at, { id }] of owners.entries()) {
    const domain = at === 0 ? "go.bench.example" : `go.bench${at}.example`;
    await pool.query(
      `insert into domains (id, account_id, domain, status, challenge, created_at, verified_at)
       select gen_random_uuid(), $1, name, 'verified', '', now(), now() from unnest($2::text[]) name`,
      [id, [domain, `old.${domain}`]],
    );
    // "age" is 0 for the newest link and 1 for the oldest. Half of the links were never changed.
    await pool.query(
      `insert into links (id, account_id, domain_id, slug, destination, title, created_at, updated_at, is_active, starts_at,
         expires_at, password_hash, geo_rules, ab_test, preview, click_count, click_limit, last_click_at, made_by)
       select uuidv7(created - now()), $1::uuid,
         case when age > 0.8 and random() < 0.5 then old.id when random() < 0.11 then d.id
           else '00000000-0000-0000-0000-000000000000' end,
         'a' || n || 'x' || $4::int, 'https://example.com/' || md5(n::text) || '/page-' || n || 'x', 'Title ' || md5('t' || n),
         created, case when random() < 0.5 then created else created + random() * (now() - created) end, random() > 0.03,
         case when random() < 0.005 then now() + random() * interval '1 year' end,
         case when random() < 0.06 then now() + (random() - 0.5) * interval '1 year'
           when age > 0.9 and random() < 0.2 then created + interval '90 days' end,
         case when random() < 0.01 then 'scrypt$a$b' end,
         case when random() < 0.02 then '[{"country": "DE", "url": "https://de.example/"}]'::jsonb end,
         case when random() < 0.001
           then '{"variants": [{"url": "https://a.example/", "weight": 1}, {"url": "https://b.example/", "weight": 1}]}'::jsonb end,
         case when age < 0.1 and random() < 0.1 then '{"title": "A title", "description": null, "image": null}'::jsonb end,
         clicks, case when random() < 0.01 then 1 + floor(random() * 4)::int end,
         case when clicks > 0 then now() - power(random(), 2) * (now() - created) end,
         case when random() < 0.3 then '${maker(1)}' when random() < 0.014 then '${maker(2)}' when random() < 0.00014 then '${maker(3)}'
           when random() < 0.6 then ('${maker(0).slice(0, -4)}' || 1000 + floor(random() * 1000)::int) end::uuid
       from (
         select *, now() - age * interval '730 days' as created from (
           select n, 1 - n::float8 / $2::int as age,
             case when random() < 0.6 then ceil(power(random(), -1.2))::bigint % 1000000 else 0 end as clicks
           from generate_series(1, $2::int) n
         ) t
       ) t, domains d, domains old where d.domain = $3 and old.domain = 'old.' || $3`,
      [id, links, domain, at],
    );
    await pool.query(
      `insert into tags (account_id, name, key)
       select $1, name, name from (select 'tag ' || n from generate_series(1, 50) n union all values ('old'), ('new')) t (name)`,
      [id],
    );
    // The more links have a numbered tag, the smaller its number.
    await pool.query(
      `insert into link_tags select t.id, l.id from links l join tags t using (account_id)
       where account_id = $1 and case t.key
         when 'old' then created_at < now() - interval '694 days'
         when 'new' then created_at > now() - interval '36 days'
         else random() < 0.3 / substr(t.key, 5)::int end`,
      [id],
    );
    await pool.query(
      `insert into link_health (link_id, account_id, host, status, since, checked_at, next_at)
       select id, account_id, 'example.com', case when random() < 0.05 then 'broken' else 'ok' end, now(), now(), now()
       from links where account_id = $1 and random() < 0.1`,
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
