import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginErasing } from "../../../src/maintenance/account/erase.ts";
import { type CoreEvent, createCore } from "../../../src/index.ts";
import { tablesThat } from "../../../src/schema/tables.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, dump, rejection } from "../../helpers.ts";
import { fullAccount } from "./full-account.ts";

const events: CoreEvent[] = [];
const test = await createTestCore({ onEvent: (event) => events.push(event) });
const { core, databaseUrl } = test;
const other = await createCore({ databaseUrl, shortBase: "http://short.test" });
afterAll(async () => {
  await other.close();
  await test.close();
});
const { pool } = depsOf(core);

/** Tables without anything of an account. Everything else has to be erased, and filled by `fullAccount`. */
const impersonal = new Set(tablesThat(({ personal }) => personal !== true));

/** Which texts of a list each table contains */
async function tablesWith(traces: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' order by 1`,
  );
  const found = new Map<string, string[]>();
  for (const { name } of rows) {
    const { rows: text } = await pool.query<{ text: string | null }>(
      `select string_agg(t::text, e'\\n') as text from ${name} t`,
    );
    found.set(
      name,
      traces.filter((trace) => text[0]?.text?.toLowerCase().includes(trace.toLowerCase())),
    );
  }
  return found;
}
const endGrace = (id: string) =>
  pool.query("update users set deletes_at = now() - interval '1 second' where id = $1", [id]);

describe("an account that was erased", () => {
  let gone: Awaited<ReturnType<typeof fullAccount>>;
  let bystander: typeof gone;

  beforeAll(async () => {
    gone = await fullAccount(test, "leavingperson");
    bystander = await fullAccount(test, "bystander");
  });

  it("had something in every table that is not listed as impersonal", async () => {
    for (const [table, found] of await tablesWith(gone.traces)) {
      if (impersonal.has(table)) expect([table, found]).toEqual([table, []]);
      else expect(found, `${table} has nothing of the account: fill it in fullAccount`).not.toEqual([]);
    }
  });

  it("is found nowhere; its clicks are in the totals only, and other accounts keep everything", async () => {
    const before = [...(await tablesWith(bystander.traces))];
    const { id } = gone.account;
    const raw = async () => (await pool.query("select from clicks")).rowCount ?? 0;
    const rawBefore = await raw();
    await endGrace(id);
    expect(await core.chores.run()).toBe(1);
    for (const [table, found] of await tablesWith(gone.traces)) expect([table, found]).toEqual([table, []]);
    expect([...(await tablesWith(bystander.traces))]).toEqual(before);
    expect(await raw()).toBe(rawBefore / 2);
    const { rows } = await pool.query("select clicks::int, visitors::int, bots::int from erased_days");
    expect(rows).toEqual([{ clicks: 6, visitors: 5, bots: 6 }]);
    expect(events).toContainEqual(expect.objectContaining({ code: "account_erased", account: id }));
  });

  it("frees its address, its slugs and its domain for others", async () => {
    const { caller } = bystander;
    expect((await core.accounts.create({ email: gone.account.email })).id).not.toBe(gone.account.id);
    const { slug } = gone.bucket;
    expect(await caller.links.create({ url: "https://example.com/", slug })).toMatchObject({ slug });
    const { rowCount } = await pool.query("select from domains where domain = $1", [gone.domain]);
    expect(rowCount).toBe(0);
  });
});

describe("erasing", () => {
  it("continues after it was interrupted, and lets nobody in meanwhile", async () => {
    const { account, traces, key, session } = await fullAccount(test, "interrupted");
    await endGrace(account.id);
    const database = await pool.connect();
    expect(await beginErasing(database, new Date())).toMatchObject({ id: account.id });
    database.release();
    expect(await core.credentials.byKey(key.key)).toBeNull();
    expect(await core.credentials.bySession(session.token)).toBeNull();
    expect(await rejection(core.sessions.create(account.id))).toMatchObject({ code: "FORBIDDEN" });
    expect((await core.accounts.list()).map(({ id }) => id)).not.toContain(account.id);
    expect(await core.chores.run()).toBe(1);
    expect([...(await tablesWith(traces)).values()].flat()).toEqual([]);
  });

  it("is done once by several nodes at the same time", async () => {
    const leaving = [await fullAccount(test, "firstofmany"), await fullAccount(test, "secondofmany")];
    for (const { account } of leaving) await endGrace(account.id);
    const counts = await Promise.all([core, other, core, other].map(({ chores }) => chores.run()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(2);
    for (const { traces } of leaving) expect([...(await tablesWith(traces)).values()].flat()).toEqual([]);
  });

  it("is done at once for an operator, also while another node erases", async () => {
    const [due, chosen] = [await fullAccount(test, "dueanyway"), await fullAccount(test, "chosenone")];
    await endGrace(due.account.id);
    await Promise.all([core.chores.run(), other.accounts.delete(chosen.account.id)]);
    for (const { traces } of [due, chosen])
      expect([...(await tablesWith(traces)).values()].flat()).toEqual([]);
    const unknown = { code: "NOT_FOUND", message: "Account not found" };
    for (const id of [chosen.account.id, "nonsense"])
      expect(await rejection(core.accounts.delete(id))).toEqual(unknown);
  });

  it("waits until the end of the grace, by the slower of two clocks", async () => {
    const { account } = await fullAccount(test, "patient");
    await pool.query("update users set deletes_at = now() + interval '1 hour' where id = $1", [account.id]);
    const fast = await createCore({
      databaseUrl,
      shortBase: "http://short.test",
      clock: () => new Date(Date.now() + 7_200_000),
    });
    expect(await fast.chores.run()).toBe(0);
    await fast.close();
    expect(await dump(core)).toContain(account.id);
  });
});
