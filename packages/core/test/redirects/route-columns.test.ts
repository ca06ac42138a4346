import type { PoolClient } from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { statements } from "../../src/redirects/route.ts";
import { ruleKinds } from "../../src/redirects/rules/rules.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf } from "../helpers.ts";

const { core, close } = await createTestCore();
afterAll(close);
let client: PoolClient;
beforeEach(async () => {
  client = await depsOf(core).pool.connect();
  await client.query("begin");
});
afterEach(async () => {
  await client.query("rollback");
  client.release();
});

/** Every column that cached routes depend on; `watched` are those whose changes a trigger announces. */
const routeColumns = {
  links: {
    /** `announce_link_change` */
    watched: ["domain_id", "slug", "destination", ...ruleKinds.map(({ column }) => column)],
    /** Never updated */
    fixed: ["id", "bucket_id", "account_id"],
    /** Shown on a bucket's page only. Code that changes them also updates the bucket's `updated_at`. */
    onPage: ["title", "position"],
  },
  buckets: {
    /** `announce_bucket_change` */
    watched: ["name", "description", "accent_color", "updated_at"],
    fixed: ["id", "account_id"],
  },
  /** Code that changes an avatar also updates the bucket's `updated_at`. */
  bucket_avatars: {
    onPage: ["bucket_id", "name", "image"],
  },
  workspaces: {
    /** `announce_account_change` */
    watched: ["suspended_at", "deletes_at"],
    fixed: ["id", "number"],
  },
  domains: {
    /** `announce_domain_change` */
    watched: [
      "domain",
      "status",
      "root_url",
      "not_found_url",
      "expired_url",
      "apple_app_site_association",
      "assetlinks",
      "import_from",
    ],
    fixed: ["id", "account_id"],
  },
} as const;

const tables = ["links", "buckets", "workspaces", "domains"] as const;
const triggers = {
  links: "announce_link_change",
  buckets: "announce_bucket_change",
  workspaces: "announce_account_change",
  domains: "announce_domain_change",
};
const sorted = (names: readonly string[]) => names.toSorted((a, b) => a.localeCompare(b));
const watchedColumns = (table: (typeof tables)[number]) => sorted(routeColumns[table].watched);

/** The columns whose updates fire a table's trigger. */
async function triggerColumns(table: (typeof tables)[number]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name
     from pg_trigger t, unnest(t.tgattr) as number
     join pg_attribute on attnum = number
     where tgrelid = $1::regclass and attrelid = tgrelid and tgname = $2 and tgenabled = 'O'`,
    [table, triggers[table]],
  );
  return sorted(rows.map(({ name }) => name));
}

async function setTriggerColumns(table: (typeof tables)[number], columns: readonly string[]) {
  await client.query(`drop trigger ${triggers[table]} on ${table}`);
  await client.query(
    `create trigger ${triggers[table]} after update of ${columns.join(", ")}
     on ${table} for each row execute function ${triggers[table]}()`,
  );
}

/** The columns that a statement reads, as `table.column`: PostgreSQL knows them of a view. */
async function columnsReadBy(statement: string): Promise<string[]> {
  await client.query(`create temp view reading as ${statement.replaceAll(/\$\d+/g, "null")}`);
  const { rows } = await client.query<{ name: string }>(
    `select distinct relname || '.' || attname as name
     from pg_depend
     join pg_rewrite on pg_rewrite.oid = objid
     join pg_class on pg_class.oid = refobjid
     join pg_attribute on attrelid = refobjid and attnum = refobjsubid
     where classid = 'pg_rewrite'::regclass and ev_class = 'reading'::regclass and attnum > 0`,
  );
  return sorted(rows.map(({ name }) => name));
}

const listed = Object.entries(routeColumns).flatMap(([table, kinds]) =>
  Object.values(kinds).flatMap((columns: readonly string[]) => columns.map((column) => `${table}.${column}`)),
);

describe.each(tables)("the columns of %s that routes depend on", (table) => {
  it("are those that the trigger watches", async () => {
    expect(await triggerColumns(table)).toEqual(watchedColumns(table));
  });

  it.each(watchedColumns(table))("differ from a trigger that does not watch %s", async (column) => {
    const others = watchedColumns(table).filter((name) => name !== column);
    await setTriggerColumns(table, others.length > 0 ? others : ["id"]);
    expect(await triggerColumns(table)).not.toEqual(watchedColumns(table));
  });

  it("differ from a trigger that watches one more", async () => {
    await setTriggerColumns(table, [...watchedColumns(table), "created_at"]);
    expect(await triggerColumns(table)).not.toEqual(watchedColumns(table));
  });
});

describe("the statements that load routes", () => {
  it.each(Object.entries(statements))("read no column that is not listed: %s", async (_, { text }) => {
    const read = await columnsReadBy(text);
    expect(read.length).toBeGreaterThan(3);
    expect(read.filter((column) => !listed.includes(column))).toEqual([]);
  });

  it("would be noticed to read another column", async () => {
    const text = statements.route.text.replace("destination", "destination, title, links.created_at");
    expect(await columnsReadBy(text)).toEqual(expect.arrayContaining(["links.created_at"]));
    expect(listed).not.toContain("links.created_at");
  });

  it("read every column that a link's trigger watches", async () => {
    const read = await columnsReadBy(statements.route.text);
    expect(read).toEqual(expect.arrayContaining(watchedColumns("links").map((column) => `links.${column}`)));
  });
});
