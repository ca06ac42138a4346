import type { PoolClient } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { clicksById } from "../../src/analytics/live/listed-clicks.ts";
import { createTestCore } from "../../src/testing.ts";
import { packClicks } from "../clicks/blocks/helpers.ts";
import { sameIdStore } from "../clicks/drain/helpers.ts";
import { clickOn, depsOf, unknownId, url } from "../helpers.ts";

const now = Date.parse("2026-05-15T12:30:00.000Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const deps = depsOf(core);
const { pool } = deps;

/** A link of an account with a click at `now`, whose id is that of the others. */
async function clickedLink(by: Awaited<ReturnType<typeof actor>> | null, more: { user_agent?: string } = {}) {
  const { id } = await core.caller(by ?? { kind: "anonymous" }).links.create({ url });
  const store = sameIdStore(core);
  await store.store(await store.prepare([clickOn(id, { time: now, ...more })]), null);
  return id;
}

async function idsOf(linkId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>("select id from clicks where link_id = $1", [linkId]);
  return rows.map(({ id }) => id);
}

describe("clicks of an account by their ids", () => {
  it("are those of its people only, if clicks of others and of bots have the same id", async () => {
    const [owner, other] = [await actor("pro"), await actor("pro")];
    const [own, foreign] = [await clickedLink(owner), await clickedLink(other)];
    const bots = await clickedLink(owner, { user_agent: "curl/8.5.0" });
    const nobodys = await clickedLink(null);
    const ids = await idsOf(own);
    expect(ids).toHaveLength(1);
    for (const link of [foreign, bots, nobodys]) expect(await idsOf(link)).toEqual(ids);

    const linksOf = async (accountId: string) =>
      (await clicksById(deps, accountId, ids)).map(({ link_id }) => link_id);
    const all = () => Promise.all([owner.account.id, other.account.id, unknownId].map(linksOf));
    expect(await all()).toEqual([[own], [foreign], []]);
    await packClicks(core, now + 86_400_000);
    expect(await all()).toEqual([[own], [foreign], []]);
  });

  it("are found by an index", async () => {
    const owner = await actor("pro");
    const own = await clickedLink(owner);
    await pool.query(
      `insert into clicks (id, link_id, account_number, client_id, referrer_id, is_bot, is_unique)
       select id - n, link_id, account_number, client_id, referrer_id, false, false
       from clicks, generate_series(1, 20000) n where link_id = $1`,
      [own],
    );
    await pool.query("analyze clicks");
    const ids = (await idsOf(own)).slice(0, 10);
    const plans = await plansOf(() => clicksById(deps, owner.account.id, ids));
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatch(/Index (Only )?Scan.*\bid = ANY/s);
    expect(plans[0]).not.toContain("Seq Scan");
  });
});

/** The plans of the statements that read clicks. */
async function plansOf(read: () => Promise<unknown>): Promise<string[]> {
  const statements: { text: string; values: unknown[] }[] = [];
  pool.once("acquire", (client: PoolClient) => {
    const { query } = client;
    client.query = ((statement: { text: string; values: unknown[] }, ...more: unknown[]) => {
      if (statement.text?.includes("from clicks")) statements.push(statement);
      return (query as (...all: unknown[]) => unknown).call(client, statement, ...more);
    }) as typeof query;
    pool.once("release", () => {
      client.query = query;
    });
  });
  await read();
  return Promise.all(
    statements.map(async ({ text, values }) => {
      const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    }),
  );
}
