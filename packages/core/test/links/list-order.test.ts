import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { linkSorts, type Sort } from "../../src/links/list/names.ts";
import { depsOf } from "../helpers.ts";

interface Row {
  id: string;
  slug: string;
  created_at: number;
  updated_at: number;
  last_click_at: number;
  click_count: number;
}
type Column = keyof Omit<Row, "id">;

const { core, actor, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);
const owner = await actor("pro");
const { links } = core.caller(owner);

/** More links than an order is searched for at its start, of which some thousand at one end of each order pass a filter */
const count = 12_000;
const dayOf = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
let rows: Row[] = [];

beforeAll(async () => {
  // Slugs, times and clicks follow the same numbers. Every third link has no click, and many were clicked at the same time.
  await pool.query(
    `insert into links (id, account_id, slug, destination, created_at, updated_at, click_count, last_click_at, password_hash)
     select gen_random_uuid(), $1, 'a' || lpad(n::text, 5, '0'), 'https://example.com/' || n, time, time,
       case when n % 3 > 0 then n else 0 end, case when n % 3 > 0 then date_trunc('hour', time) end,
       case when n % 4 = 0 then 'hash' end
     from (select n, timestamptz '2026-01-01Z' + n * interval '1 minute' as time from generate_series(1, $2::int) n) numbered`,
    [owner.account.id, count],
  );
  // More links than are looked up first, and some thousand at one end of each order
  await pool.query(
    `with named (name, first, last) as (values ('half', 1, $2 / 2), ('end', $2 - 1499, $2)),
       made as (insert into tags (account_id, name, key) select $1, name, name from named returning id, name)
     insert into link_tags select made.id, links.id from made join named using (name) join links on account_id = $1
     where substr(slug, 2)::int between first and last`,
    [owner.account.id, count],
  );
  ({ rows } = await pool.query<Row>(
    `select id, slug, extract(epoch from created_at)::float8 as created_at, extract(epoch from updated_at)::float8 as updated_at,
       coalesce(extract(epoch from last_click_at), 0)::float8 as last_click_at, click_count::float8 from links`,
  ));
});

function sorted(some: readonly Row[], sort: Sort): Row[] {
  const isDescending = sort.startsWith("-");
  const column = sort.replace("-", "") as Column;
  const compare = (a: Row, b: Row) => {
    const [one, other] = a[column] === b[column] ? [a.id, b.id] : [a[column], b[column]];
    return one < other ? -1 : 1;
  };
  return some.toSorted((a, b) => (isDescending ? compare(b, a) : compare(a, b)));
}

const numberOf = ({ slug }: Row) => Number(slug.slice(1));

describe("an order of links that pass a filter", () => {
  const filters: [object, (row: Row) => boolean][] = [
    [{ created_from: dayOf(count - 1499) }, (row) => numberOf(row) > count - 1500],
    [{ created_to: dayOf(1501) }, (row) => numberOf(row) <= 1500],
    [
      { created_from: dayOf(5001), created_to: dayOf(6501) },
      (row) => numberOf(row) > 5000 && numberOf(row) <= 6500,
    ],
    [{ has: "password" }, (row) => numberOf(row) % 4 === 0],
    [{ search: "a1", created_from: dayOf(1) }, (row) => row.slug.startsWith("a1")],
    [{ tag: "half" }, (row) => numberOf(row) <= count / 2],
    [{ tag: "end" }, (row) => numberOf(row) > count - 1500],
    [{ tag: "half", has: "password" }, (row) => numberOf(row) <= count / 2 && numberOf(row) % 4 === 0],
    [{ tag: "half", created_to: dayOf(1201) }, (row) => numberOf(row) <= 1200],
  ];
  const cases = filters.flatMap(([filter, passes]) =>
    linkSorts.map((sort) => [sort, filter, passes] as const),
  );

  it.each(cases)("by %s is that of all of them: %j", async (sort, filter, passes) => {
    const expected = sorted(rows.filter(passes), sort);
    expect(expected.length).toBeGreaterThan(1000);
    for (const page of [1, 2, Math.ceil(expected.length / 50)]) {
      const { data, meta } = await links.list({ ...filter, sort, page, limit: 50 });
      expect(data.map(({ slug }) => slug)).toEqual(
        expected.slice((page - 1) * 50, page * 50).map(({ slug }) => slug),
      );
      expect(meta.total).toBeGreaterThanOrEqual(Math.min(1000, expected.length));
    }
  });
});
