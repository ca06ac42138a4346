import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, dump, named } from "../../helpers.ts";

let now = new Date("2026-03-01T12:00:00Z");
const { core, account, close } = await createTestCore({ clock: () => now });
afterAll(close);
const { logins } = core;
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

describe("a sign-in link", () => {
  it("gives its account once", async () => {
    const owner = await account("pro");
    const { token, expires_at } = await logins.issueLink(owner.id);
    expect(expires_at).toBe(minutes(15).toISOString());
    expect(await logins.redeemLink(token)).toEqual(owner);
    expect(await logins.redeemLink(token)).toBeNull();
  });

  it("gives its account to one of many concurrent uses", async () => {
    const { token } = await logins.issueLink((await account()).id);
    const found = await Promise.all(Array.from({ length: 20 }, () => logins.redeemLink(token)));
    expect(found.filter((each) => each !== null)).toHaveLength(1);
  });

  it("lasts exactly 15 minutes, and the next link deletes it", async () => {
    const { id } = await account();
    const [one, two] = [await logins.issueLink(id), await logins.issueLink(id)];
    now = new Date(minutes(15).getTime() - 1);
    expect(await logins.redeemLink(one.token)).not.toBeNull();
    now = new Date(now.getTime() + 1);
    expect(await logins.redeemLink(two.token)).toBeNull();
    await logins.issueLink(id);
    const { rowCount } = await depsOf(core).pool.query("select 1 from login_links where account_id = $1", [
      id,
    ]);
    expect(rowCount).toBe(1);
  });

  it("cannot be derived from the database", async () => {
    const { token } = await logins.issueLink((await account()).id);
    expect(await dump(core)).not.toContain(token);
  });

  it.each(
    named(["", " ", "A".repeat(43), "a\0b", "\uD800", "'; drop table login_links; --", "x".repeat(1e6)]),
  )("that was never made is nobody's: %s", async (_, token) => {
    expect(await logins.redeemLink(token)).toBeNull();
  });
});
