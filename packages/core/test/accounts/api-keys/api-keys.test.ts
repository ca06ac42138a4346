import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { anonymous, dump, named, rejection, unknownId } from "../../helpers.ts";

const { core, actor, account, close } = await createTestCore();
afterAll(close);
const owner = await actor("enterprise");
const { keys } = core.caller(owner);

describe("a new API key", () => {
  it("has every field, and the key itself", async () => {
    const { key, ...record } = await keys.create({ name: " Build server " });
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Build server",
      prefix: key.slice(0, "terse_".length + 6),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      created_by: null,
      last_used_at: null,
      scopes: [
        "links:read",
        "links:write",
        "analytics:read",
        "domains",
        "buckets",
        "keys",
        "account",
        "webhooks",
        "members",
      ],
      expires_at: null,
    });
    expect(key).toMatch(/^terse_[A-Za-z0-9_-]{43}$/);
  });

  it("is shown once: a list has its prefix only", async () => {
    const { key, ...record } = await keys.create({});
    const list = await keys.list();
    expect(list[0]).toEqual(record);
    expect(JSON.stringify(list)).not.toContain(key);
    expect(JSON.stringify(list)).not.toContain(key.slice(20));
  });

  it("is nowhere in the database, and neither are passwords and session tokens", async () => {
    const { key } = await keys.create({ name: "Grep me" });
    const { token } = await core.sessions.create(owner.account.id);
    const password = "a very secret password";
    await core.caller(owner).links.create({ url: "https://example.com/", password });
    const everything = await dump(core);
    expect(everything).toContain("Grep me");
    for (const secret of [key, token, password]) {
      const hidden = secret.slice(12);
      expect(everything).not.toContain(hidden);
      expect(everything).not.toContain(Buffer.from(hidden).toString("hex"));
      expect(everything).not.toContain(Buffer.from(hidden).toString("base64url").slice(0, -2));
    }
  });

  it("is different each time and has a default name", async () => {
    const made = await Promise.all([keys.create(), keys.create({}), keys.create({ name: "API key" })]);
    expect(new Set(made.map(({ key }) => key)).size).toBe(3);
    expect(made.map(({ name }) => name)).toEqual(["API key", "API key", "API key"]);
  });

  it.each<[unknown, string]>([
    ["", "name: must not be empty"],
    ["  ", "name: must not be empty"],
    ["x".repeat(101), "name: must have at most 100 characters"],
    ["a\0b", "name: must not contain control characters"],
    ["a\nb", "name: must not contain control characters"],
    ["\uD800", "name: must not contain half a character (a lone surrogate)"],
    [1, "name: expected string, received number"],
    [null, "name: expected string, received null"],
  ])("is refused with the name %j", async (name, message) => {
    expect(await rejection(keys.create({ name } as never))).toEqual({ code: "BAD_REQUEST", message });
  });

  it("acts for its account, with the current plan of the account", async () => {
    const { email, id } = await account("enterprise");
    const { key } = await core.keys.issue(id, "Operator's");
    expect(await core.credentials.byKey(key)).toMatchObject({
      kind: "account",
      account: { id, plan: "enterprise" },
    });
    await core.accounts.setPlan(email, "free");
    expect(await core.credentials.byKey(key)).toMatchObject({
      kind: "account",
      account: { id, plan: "free" },
    });
  });
});

describe("a key that an operator issues", () => {
  it("needs a valid name and an existing account", async () => {
    const { id } = await account();
    const issued = (name: unknown) => rejection(core.keys.issue(id, name as string));
    expect(await issued("")).toEqual({ code: "BAD_REQUEST", message: "name: must not be empty" });
    expect((await issued("x".repeat(101))).code).toBe("BAD_REQUEST");
    expect((await issued("a\0b")).code).toBe("BAD_REQUEST");
    expect((await issued(7)).code).toBe("BAD_REQUEST");
    expect((await core.keys.issue(id, " trimmed ")).name).toBe("trimmed");
    for (const nobody of [unknownId, "nonsense", "", "'; drop table api_keys; --"]) {
      const missing = { code: "NOT_FOUND", message: "Account not found" };
      expect(await rejection(core.keys.issue(nobody))).toEqual(missing);
    }
  });
});

describe("a list of keys", () => {
  it("is the account's own, newest first", async () => {
    const mine = core.caller(await actor("enterprise")).keys;
    expect(await mine.list()).toEqual([]);
    const names = ["1", "2", "3"];
    for (const name of names) await mine.create({ name });
    expect((await mine.list()).map(({ name }) => name)).toEqual(names.toReversed());
  });
});

describe("a key that is revoked", () => {
  it("is refused at once, and gone from the list", async () => {
    const { id, key } = await keys.create({});
    expect(await core.credentials.byKey(key)).not.toBeNull();
    expect(await keys.delete({ id })).toEqual({ id, deleted: true });
    expect(await core.credentials.byKey(key)).toBeNull();
    expect((await keys.list()).map((each) => each.id)).not.toContain(id);
    expect(await rejection(keys.delete({ id }))).toEqual({ code: "NOT_FOUND", message: "API key not found" });
  });

  it("leaves the account's other keys valid", async () => {
    const [gone, kept] = [await keys.create({}), await keys.create({})];
    await keys.delete({ id: gone.id });
    expect(await core.credentials.byKey(kept.key)).not.toBeNull();
  });

  it("may belong to any account for the operator", async () => {
    const { id, key } = await keys.create({});
    expect(await core.keys.revoke(id)).toBe(true);
    expect(await core.keys.revoke(id)).toBe(false);
    expect(await core.credentials.byKey(key)).toBeNull();
  });

  it("is not found for another account, and stays valid", async () => {
    const { id, key } = await keys.create({});
    const intruder = core.caller(await actor("enterprise")).keys;
    const refused = await rejection(intruder.delete({ id }));
    expect(refused).toEqual(await rejection(intruder.delete({ id: unknownId })));
    expect(refused.code).toBe("NOT_FOUND");
    expect(await core.credentials.byKey(key)).not.toBeNull();
  });

  it.each(named([unknownId, "", "1", "a\0b", "x".repeat(10_000)]))(
    "is not found by the id %s",
    async (_, id) => {
      expect(await rejection(keys.delete({ id }))).toEqual({
        code: "NOT_FOUND",
        message: "API key not found",
      });
      expect(await core.keys.revoke(id)).toBe(false);
    },
  );
});

describe("an account's keys", () => {
  it("are at most a hundred, also with concurrent requests", async () => {
    const busy = await actor("enterprise");
    const own = core.caller(busy).keys;
    const made = await Promise.allSettled(
      Array.from({ length: 104 }, (_, n) => (n % 2 === 0 ? own.create() : core.keys.issue(busy.account.id))),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
    const list = await own.list();
    expect(list).toHaveLength(100);
    expect(await rejection(own.create())).toEqual({
      code: "FORBIDDEN",
      message: "An account has at most 100 API keys: revoke one to create another",
    });
    await own.delete({ id: list[0]?.id ?? "" });
    expect(await own.create()).toMatchObject({ name: "API key" });
  });
});

describe("the plan for keys", () => {
  it("is Enterprise", async () => {
    for (const plan of ["free", "pro"] as const) {
      const { keys: theirs } = core.caller(await actor(plan));
      const refused = { code: "FORBIDDEN", message: "Enterprise plan required" };
      expect(await rejection(theirs.create({}))).toEqual(refused);
      expect(await rejection(theirs.list())).toEqual(refused);
      expect(await rejection(theirs.delete({ id: unknownId }))).toEqual(refused);
    }
    expect((await rejection(core.caller(anonymous).keys.create({}))).code).toBe("UNAUTHORIZED");
  });

  it("is Pro by an option, and the prefix of keys is an option too", async () => {
    const test = await createTestCore({ apiKeysPlan: "pro", keyPrefix: "acme" });
    try {
      const { key, prefix } = await test.core.caller(await test.actor("pro")).keys.create({});
      expect(key).toMatch(/^acme_[A-Za-z0-9_-]{43}$/);
      expect(prefix).toBe(key.slice(0, 11));
      const free = test.core.caller(await test.actor("free"));
      expect(await rejection(free.keys.create({}))).toEqual({
        code: "FORBIDDEN",
        message: "Pro plan required",
      });
    } finally {
      await test.close();
    }
  });
});
