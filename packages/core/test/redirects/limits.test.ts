import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { atOnce, clickOn, depsOf, rejection, url } from "../helpers.ts";
import { visitor } from "./helpers.ts";

const before = "2026-03-01T00:00:00.000Z";
const start = new Date("2026-03-02T00:00:00.000Z");
const after = "2026-03-03T00:00:00.000Z";
let now = start;
const { core, actor, close } = await createTestCore({ clock: () => now });
afterAll(close);
const { links } = core.caller(await actor("pro"));
const fallback_url = "https://example.com/instead";

const resolve = (slug: string, of: Partial<typeof visitor> = {}) =>
  core.redirects.resolve("short.test", slug, { ...visitor, ...of });
const bot = { isBot: () => true };

/** Follows a link and records the visit; returns where it led, or why nowhere. */
async function visit(slug: string, of: Partial<typeof visitor> = {}): Promise<string> {
  const decision = await resolve(slug, of);
  if (decision.kind === "gone") return decision.reason;
  if (decision.kind !== "redirect") return decision.kind;
  const { link_id, counts_as, location } = decision;
  await core.clicks.record(clickOn(link_id, { counts_as }));
  return location;
}

describe("a link", () => {
  it("is decided by switch, start, end, limit and password in this order, whatever its combination", async () => {
    // Each is [in the way, not in the way].
    const switches = [0, 1];
    const starts = [after, before, null];
    const ends = [start.toISOString(), after, null];
    const limits = [1, 2, null];
    const passwords = [true, false];
    const fallbacks = [fallback_url, null];
    const combinations = switches.flatMap((is_active) =>
      starts.flatMap((starts_at) =>
        ends.flatMap((expires_at) =>
          limits.flatMap((click_limit) =>
            passwords.flatMap((isProtected) =>
              fallbacks.map((fallback) => ({
                is_active,
                starts_at,
                expires_at,
                click_limit,
                isProtected,
                fallback,
              })),
            ),
          ),
        ),
      ),
    );
    const { pool } = depsOf(core);
    const { id, slug } = await links.create({ url });
    await core.clicks.record(clickOn(id));
    for (const { is_active, starts_at, expires_at, click_limit, isProtected, fallback } of combinations) {
      await pool.query(
        `update links set is_active = $2, starts_at = $3, expires_at = $4, click_limit = $5, password_hash = $6,
           fallback_url = $7 where id = $1`,
        [id, is_active === 1, starts_at, expires_at, click_limit, isProtected ? "hash" : null, fallback],
      );
      core.redirects.invalidate({ domain_id: "00000000-0000-0000-0000-000000000000", slug });
      const obstacle =
        is_active === 0
          ? "inactive"
          : starts_at === after
            ? "not_found"
            : expires_at === start.toISOString()
              ? "expired"
              : click_limit === 1
                ? "used_up"
                : null;
      const expected = obstacle === null ? (isProtected ? "password" : url) : (fallback ?? obstacle);
      const decision = await resolve(slug, bot);
      const actual =
        decision.kind === "gone"
          ? decision.reason
          : decision.kind === "redirect"
            ? decision.location
            : decision.kind;
      expect(actual, JSON.stringify({ is_active, starts_at, expires_at, click_limit, fallback })).toBe(
        expected,
      );
    }
  });

  it("begins and ends to the millisecond", async () => {
    const { slug } = await links.create({ url, starts_at: before, expires_at: after });
    const at = async (time: number) => {
      now = new Date(time);
      return visit(slug);
    };
    expect(await at(Date.parse(before) - 1)).toBe("not_found");
    expect(await at(Date.parse(before))).toBe(url);
    expect(await at(Date.parse(after) - 1)).toBe(url);
    expect(await at(Date.parse(after))).toBe("expired");
    now = start;
  });

  it("must begin before it ends, whichever of both is set later", async () => {
    const starting = { code: "BAD_REQUEST", message: "starts_at: must not be after expires_at" };
    const ending = { code: "BAD_REQUEST", message: "expires_at: must not be before starts_at" };
    expect(await rejection(links.create({ url, starts_at: after, expires_at: before }))).toEqual(starting);
    const { id } = await links.create({ url, expires_at: start.toISOString() });
    expect(await rejection(links.update({ id, starts_at: after }))).toEqual(starting);
    expect(await links.update({ id, starts_at: before })).toMatchObject({ starts_at: before });
    const earlier = "2026-02-01T00:00:00.000Z";
    expect(await rejection(links.update({ id, expires_at: earlier }))).toEqual(ending);
    const { results } = atOnce(await links.bulkUpdate({ ids: [id], set: { expires_at: earlier } }));
    expect(results).toMatchObject([{ id, status: 400, error: ending.message }]);
    expect(await links.update({ id, starts_at: after, expires_at: null })).toMatchObject({
      expires_at: null,
    });
  });
});

describe("a click limit", () => {
  it("is used up by people, not by bots, who see the same", async () => {
    const { id, slug } = await links.create({ url, click_limit: 2 });
    expect([await visit(slug, bot), await visit(slug), await visit(slug, bot)]).toEqual([url, url, url]);
    expect(await links.get({ id })).toMatchObject({ click_count: 1, click_limit: 2 });
    expect([await visit(slug), await visit(slug), await visit(slug, bot)]).toEqual([
      url,
      "used_up",
      "used_up",
    ]);
    expect(await links.get({ id })).toMatchObject({ click_count: 2 });
    expect((await links.list({ state: "used_up" })).data).toMatchObject([{ id }]);
  });

  it("takes no click for a visit that does not get as far as the destination", async () => {
    const { id, slug } = await links.create({ url, click_limit: 1, password: "secret" });
    for (const password of [undefined, "wrong"]) expect(await visit(slug, { password })).toBe("password");
    expect(await core.redirects.preview("short.test", slug)).toMatchObject({ kind: "protected" });
    expect(await visit(slug, { password: "secret" })).toBe(url);
    expect(await visit(slug, { password: "secret" })).toBe("used_up");
    expect(await core.redirects.preview("short.test", slug)).toEqual({ kind: "gone", reason: "used_up" });
    expect(await links.get({ id })).toMatchObject({ click_count: 1 });
  });

  it("can be raised, lowered and cleared; clicks from before count", async () => {
    const { id, slug } = await links.create({ url });
    const times = async (count: number) => {
      const answers: string[] = [];
      for (let left = count; left > 0; left--) answers.push(await visit(slug));
      return answers;
    };
    await times(2);
    await links.update({ id, click_limit: 3 });
    expect(await times(2)).toEqual([url, "used_up"]);
    await links.update({ id, click_limit: 4 });
    expect(await times(2)).toEqual([url, "used_up"]);
    await links.update({ id, click_limit: 1 });
    expect(await times(1)).toEqual(["used_up"]);
    await links.update({ id, click_limit: null });
    expect(await times(2)).toEqual([url, url]);
    await links.update({ id, click_limit: 7 });
    expect(await times(2)).toEqual([url, "used_up"]);
    expect((await core.clicks.rebuild()).differences).toEqual([]);
    expect(await times(1)).toEqual(["used_up"]);
    await links.delete({ id });
    expect(await times(1)).toEqual(["not_found"]);
  });

  it.each([0, -1, 1.5, 1_000_000_001, "5"])("refuses %j", async (click_limit) => {
    expect(await rejection(links.create({ url, click_limit: click_limit as number }))).toEqual({
      code: "BAD_REQUEST",
      message: "click_limit: must be a whole number from 1 to 1000000000",
    });
  });
});

describe("a fallback URL", () => {
  it("is where people are sent, who are counted apart from clicks", async () => {
    const { id, slug } = await links.create({ url, fallback_url, starts_at: after });
    expect(await visit(slug)).toBe(fallback_url);
    const { link_id, ...rest } = (await resolve(slug)) as { link_id: string };
    expect(rest).toEqual({ kind: "redirect", location: fallback_url, variant: null, counts_as: "fallback" });
    await core.clicks.record(clickOn(link_id, { counts_as: "fallback", user_agent: "curl/8" }));
    expect(await links.get({ id })).toMatchObject({ fallbacks: 1, click_count: 0, last_click_at: null });
    const { pool } = depsOf(core);
    for (const table of ["clicks", "link_days", "link_quarter_hours"])
      expect((await pool.query(`select from ${table} where link_id = $1`, [id])).rowCount, table).toBe(0);
    expect(await core.redirects.preview("short.test", slug)).toMatchObject({
      destination: fallback_url,
      others: [],
    });
  });

  it("is not for a link that the operator disabled, or whose account is suspended", async () => {
    const other = await actor("pro");
    const link = await core.caller(other).links.create({ url, fallback_url, expires_at: before });
    expect(await visit(link.slug)).toBe(fallback_url);
    await core.moderation.disableLink(link.id, "spam");
    expect(await visit(link.slug)).toBe("disabled");
    await core.moderation.enableLink(link.id);
    await core.accounts.suspend(other.account.id, "spam");
    expect(await visit(link.slug)).toBe("disabled");
  });

  it("must not lead back to the service", async () => {
    expect(await rejection(links.create({ url, fallback_url: "http://short.test/x" }))).toMatchObject({
      message: expect.stringMatching(/^fallback_url: /),
    });
  });
});
