import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { anonymous, depsOf, rejection } from "../../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);

describe("the profile", () => {
  it("is the caller's", async () => {
    const caller = await actor("pro");
    expect(await core.caller(caller).users.me()).toEqual({
      ...caller.account,
      workspace: {
        id: caller.account.id,
        slug: "personal",
        name: caller.account.name,
        role: "owner",
        personal: true,
      },
    });
  });

  it("has the fields of a user, whatever else an actor carries", async () => {
    const caller = await actor();
    const account = { ...caller.account, password: "secret" };
    expect(Object.keys(await core.caller({ ...caller, account }).users.me()).toSorted()).toEqual([
      "email",
      "id",
      "name",
      "plan",
      "workspace",
    ]);
  });

  it("needs an account", async () => {
    expect(await rejection(core.caller(anonymous).users.me())).toEqual({
      code: "UNAUTHORIZED",
      message: "Authentication required: send Authorization: Bearer <API_KEY>, or sign in",
    });
  });
});

describe("the full profile", () => {
  it("says whether the address is proven, and when the account began", async () => {
    const identity = { provider: "oidc", issuer: "https://login.example", subject: "1", name: "Ada" };
    const { id } = await core.logins.signIn({ ...identity, email: "ada@x.example", email_verified: false });
    const account = { id, email: "ada@x.example", name: "Ada", plan: "free" } as const;
    const caller = core.caller({ kind: "account", account, credential: "internal" });
    expect(await caller.users.profile()).toEqual({
      ...account,
      email_verified: false,
      consents: { marketing: false },
      created_at: (await core.accounts.details(id)).created_at,
    });
  });
});

describe("the plan", () => {
  it("is said with what it allows and what is used of it", async () => {
    const { users, links, buckets } = core.caller(await actor("pro"));
    expect(await users.plan()).toMatchObject({ plan: "pro", used: { links: 0, stored_bytes: 0 } });
    await links.create({ url: "https://example.com/" });
    await buckets.create({ name: "Page", links: [{ title: "One", url: "https://example.com/" }] });
    const { used, plans } = await users.plan();
    expect(used).toEqual({ links: 1, stored_bytes: expect.toSatisfy((bytes: number) => bytes > 900) });
    const table = depsOf(core).plans;
    expect(plans.map(({ name }) => name)).toEqual(["free", "pro", "enterprise"]);
    for (const { name, features, limits } of plans) {
      expect(limits).toMatchObject(table[name].limits);
      expect(features).toEqual(
        Object.entries(table[name].features).flatMap(([feature, included]) => (included ? [feature] : [])),
      );
    }
  });
});

describe("consents", () => {
  it("are false at first, and keep what was set", async () => {
    const { users } = core.caller(await actor());
    expect((await users.profile()).consents).toEqual({ marketing: false });
    expect(await users.updateConsents({})).toEqual({ marketing: false });
    expect(await users.updateConsents({ marketing: true })).toEqual({ marketing: true });
    expect(await users.updateConsents({ marketing: true })).toEqual({ marketing: true });
    expect(await users.updateConsents({})).toEqual({ marketing: true });
    expect((await users.profile()).consents).toEqual({ marketing: true });
    expect(await users.updateConsents({ marketing: false })).toEqual({ marketing: false });
  });

  it("belong to one account", async () => {
    const [one, two] = [core.caller(await actor()).users, core.caller(await actor()).users];
    await one.updateConsents({ marketing: true });
    expect(await two.updateConsents({})).toEqual({ marketing: false });
  });

  it("are one row, even if they are set often and concurrently", async () => {
    const caller = await actor();
    const { users } = core.caller(caller);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => users.updateConsents({ marketing: at % 2 === 0 })),
    );
    const { rowCount } = await depsOf(core).pool.query("select from consents where account_id = $1", [
      caller.account.id,
    ]);
    expect(rowCount).toBe(1);
  });

  it.each([1, "true", null, {}])("are true or false, not %j", async (marketing) => {
    const { users } = core.caller(await actor());
    expect(await rejection(users.updateConsents({ marketing } as never))).toEqual({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/^marketing: expected boolean, received /),
    });
  });

  it("stay unchanged without a body", async () => {
    const { users } = core.caller(await actor());
    expect(await users.updateConsents()).toEqual({ marketing: false });
    await users.updateConsents({ marketing: true });
    expect(await users.updateConsents()).toEqual({ marketing: true });
  });

  it("need a JSON object as their body", async () => {
    const { users } = core.caller(await actor());
    for (const sent of [null, true, []]) {
      expect((await rejection(users.updateConsents(sent as never))).code).toBe("BAD_REQUEST");
    }
  });
});
