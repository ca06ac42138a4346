import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sql } from "../../src/db/sql.ts";
import type { Account } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf } from "../helpers.ts";

/** A node of a query plan, from EXPLAIN (ANALYZE, FORMAT JSON). */
interface PlanNode {
  "Node Type": string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: PlanNode[];
}

const { core, actor, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);
const owner = await actor("pro");
const { links } = core.caller(owner);

/** 100,000 links of the account among 50,000 of others. */
async function fill(account: Account, others: Account): Promise<void> {
  // Loading is faster without indexes.
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = 'links'::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  for (const { name } of indexes) await pool.query(`drop index ${name}`);
  // One in a hundred destinations is longer than what is indexed of it.
  await pool.query(
    `insert into links (id, account_id, slug, destination, title, created_at, updated_at)
     select gen_random_uuid(), case when n % 3 = 0 then $2::uuid else $1::uuid end, 'slug-' || n,
       'https://example.com/' || md5(n::text) || case when n % 200 < 2 then repeat('/a', 1000) || '/End-' || n else '' end, 'Title ' || n || case n when 77777 then ' Süßkartoffel-短链接' else '' end,
       timestamptz '2026-01-01' + n * interval '1 second', now()
     from generate_series(1, 150000) n`,
    [account.id, others.id],
  );
  for (const { definition } of indexes) await pool.query(definition);
  // Statistics over every row: with those of a sample, plans would differ between runs.
  const client = await pool.connect();
  await client.query("alter table links set (autovacuum_enabled = false)");
  await client.query("set default_statistics_target = 500");
  await client.query("vacuum analyze links");
  client.release(true);
}

/** The executed plans of the statements that read a list. */
async function plansOf(read: () => Promise<unknown>): Promise<PlanNode[][]> {
  const statements: { text: string; values: unknown[] }[] = [];
  const listen = (client: PoolClient) => {
    const { query } = client;
    client.query = ((statement: unknown, values: unknown[], ...more: unknown[]) => {
      if (typeof statement === "string") statements.push({ text: statement, values });
      if (statement instanceof Sql) statements.push(statement);
      return (query as (...all: unknown[]) => unknown).call(client, statement, values, ...more);
    }) as typeof query;
    pool.once("release", () => {
      client.query = query;
    });
  };
  pool.on("acquire", listen);
  await read();
  pool.off("acquire", listen);
  const client: PoolClient = await pool.connect();
  try {
    const plans: PlanNode[][] = [];
    for (const { text, values } of statements) {
      const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
      const plan = rows[0]?.["QUERY PLAN"][0].Plan;
      if (plan) plans.push(flatten(plan));
    }
    return plans;
  } finally {
    client.release();
  }
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
const indexesOf = (plan: PlanNode[]) => new Set(plan.flatMap((node) => node["Index Name"] ?? []));
const typesOf = (plan: PlanNode[]) => plan.map((node) => node["Node Type"]);
/** Rows that were read and discarded */
const wasted = (plan: PlanNode[]) =>
  plan.reduce(
    (sum, node) =>
      sum +
      node["Actual Loops"] *
        ((node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)),
    0,
  );

const pageOf = (plans: PlanNode[][]) => plans.find((plan) => typesOf(plan)[0] === "Limit") ?? [];
const rowsRead = (plan: PlanNode[]) => Math.max(...plan.map((node) => node["Actual Rows"])) + wasted(plan);

const searchIndexes = new Set(["links_search", "links_long_destination"]);
/** Links of the account whose destination is longer than what is indexed of it */
const longLinks = 1000;

const md5 = createHash("md5").update("77777").digest("hex");
const small = core.caller(await actor("free")).links;

beforeAll(async () => {
  await small.create({ url: "https://small.example/" });
  await fill(owner.account, (await actor("pro")).account);
});

describe("an account with 100,000 links", () => {
  it("is counted as far as that is quick, also with a filter that many links pass", async () => {
    const metaOf = async (input: object) => (await links.list(input)).meta;
    const many = { total: 10_000, total_is_exact: false };
    expect(await metaOf({ limit: 1 })).toMatchObject({ ...many, total_pages: 10_000 });
    expect(await metaOf({ limit: 100, page: 500 })).toMatchObject({ ...many, total: 50_001 });
    expect(await metaOf({ limit: 100, page: 1000 })).toMatchObject({ total: 100_000, total_is_exact: true });
    expect(await metaOf({ limit: 100, page: 1001 })).toMatchObject(many);
    expect(await metaOf({ search: "example" })).toMatchObject({ total: 1000, total_is_exact: false });
    expect(await metaOf({ search: "example", limit: 100, page: 11 })).toMatchObject({
      total: 1101,
      total_is_exact: false,
    });
  });

  it.each([1, 2, 50])(
    "reads page %i in the order of an index, up to its last link and no further",
    async (page) => {
      const plan = pageOf(await plansOf(() => links.list({ page, limit: 100 })));
      expect(indexesOf(plan)).toEqual(new Set(["links_account_id_created_at_id"]));
      expect(typesOf(plan)).toEqual(["Limit", "Index Scan"]);
      // One more tells whether there is another page.
      expect(rowsRead(plan)).toBe(page * 100 + 1);
    },
  );

  it.each([
    ["a slug", "slug-77777", 1],
    ["a part of a destination", md5.slice(5, 25), 1],
    ["a title in another case", "sÜßKARTOFFEL", 1],
    ["another script", "短链接", 1],
    ["nothing that there is", "no such link anywhere", 0],
    ["wildcards", "100%_\\", 0],
  ])(
    "searches for %s in the search index, and reads hardly a row that does not match",
    async (_, search, total) => {
      expect((await links.list({ search })).meta.total).toBe(total);
      const [found = [], page] = await plansOf(() => links.list({ search }));
      expect(indexesOf(found)).toEqual(searchIndexes);
      expect(typesOf(found)).not.toContain("Seq Scan");
      expect(wasted(found)).toBeLessThan(longLinks + 1000);
      // What is found is read by its ids.
      if (page) expect(indexesOf(page)).toEqual(new Set(["links_pkey"]));
      expect(page !== undefined).toBe(total > 0);
    },
  );

  it("compares only long destinations for what the search index has not of them", async () => {
    const search = "/END-60001";
    expect((await links.list({ search })).meta.total).toBe(1);
    const [plan = []] = await plansOf(() => links.list({ search }));
    expect(indexesOf(plan)).toEqual(searchIndexes);
    expect(wasted(plan)).toBeLessThan(longLinks + 100);
  });

  it("finds a link by its slug or short URL without reading the account's domains", async () => {
    await pool.query(
      `insert into domains (id, account_id, domain, status, challenge, created_at, deleted_at)
       select gen_random_uuid(), $1, 'd' || n || '.example', 'pending', '', now(), now() from generate_series(1, 5000) n`,
      [owner.account.id],
    );
    await pool.query("vacuum analyze domains");
    for (const id of [
      "slug-77777",
      "a",
      "☕",
      "http://short.test/slug-77777",
      "http://d77.example/slug-77777",
    ]) {
      const plans = await plansOf(() => links.locate({ id }).catch(() => {}));
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) {
        expect(typesOf(plan)).not.toContain("Seq Scan");
        expect(rowsRead(plan)).toBeLessThan(100);
      }
    }
  });

  it("finds a page of a text that nearly all links contain without reading all of them", async () => {
    for (const search of ["example", "e"]) {
      const [some = [], page = []] = await plansOf(() => links.list({ search }));
      expect(rowsRead(some)).toBeLessThan(2000);
      expect(indexesOf(page)).toEqual(new Set(["links_account_id_created_at_id", "links_pkey"]));
      expect(rowsRead(page)).toBe(21);
    }
  });

  it("finds a page of some thousand links at the far end of an order without reading all links before them", async () => {
    const created_from = "2026-01-02T16:50:00Z"; // 147,000 seconds after the first one: some 2,000 links of the account
    for (const sort of ["slug", "created_at", "-updated_at", "click_count"] as const) {
      const plans = await plansOf(() => links.list({ created_from, sort }));
      for (const plan of plans) expect(rowsRead(plan)).toBeLessThan(12_000);
    }
  });

  it("finds links with a tag at the far end of an order by their ids", async () => {
    const sql = `with tag as (insert into tags (account_id, name, key) values ($1, 'old', 'old') returning id)
      insert into link_tags select tag.id, links.id from tag, links
      where account_id = $1 and created_at < timestamptz '2026-01-01Z' + interval '9000 seconds'`;
    await pool.query(sql, [owner.account.id]);
    await pool.query("vacuum analyze link_tags");
    for (const sort of ["-created_at", "-updated_at", "-slug"] as const) {
      const plans = await plansOf(() => links.list({ tag: "old", sort }));
      for (const plan of plans) expect(rowsRead(plan)).toBeLessThan(15_000);
    }
  });
});

describe("an account with few links beside it", () => {
  it.each([undefined, "small", "example", "e"])(
    "reads its own links only: searching for %j",
    async (search) => {
      expect((await small.list({ search })).meta.total).toBe(1);
      for (const plan of await plansOf(() => small.list({ search }))) {
        expect(typesOf(plan)).not.toContain("Seq Scan");
        expect(rowsRead(plan)).toBeLessThan(10);
      }
    },
  );
});
