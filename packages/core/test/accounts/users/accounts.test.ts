import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, named, rejection } from "../../helpers.ts";

const { core, close } = await createTestCore();
afterAll(close);
const { accounts } = core;

describe("a new account", () => {
  it("has an id, its address in lower case, a name and a plan", async () => {
    const made = await accounts.create({ email: "Ada@Example.COM", name: " Ada Lovelace ", plan: "pro" });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: "ada@example.com",
      name: "Ada Lovelace",
      plan: "pro",
    });
    for (const email of ["ada@example.com", "ADA@example.com"])
      expect(await accounts.byEmail(email)).toEqual(made);
  });

  it("is Free and named after its address unless told otherwise", async () => {
    expect(await accounts.create({ email: "grace.hopper@example.com" })).toMatchObject({
      name: "grace.hopper",
      plan: "free",
    });
  });

  it("is named after the first hundred characters of a long address, as at a sign-in", async () => {
    const email = `${"a".repeat(120)}@example.com`;
    expect((await accounts.create({ email })).name).toBe("a".repeat(100));
  });

  it("is a conflict if the address has one, in any case", async () => {
    await accounts.create({ email: "once@example.com" });
    for (const email of ["once@example.com", "ONCE@Example.com"]) {
      expect(await rejection(accounts.create({ email }))).toEqual({
        code: "CONFLICT",
        message: "email: once@example.com already has an account",
      });
    }
  });

  it("is created once by many concurrent requests", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        accounts.create({ email: at % 2 ? "many@example.com" : "MANY@example.com" }).then(
          () => "created",
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 19 }, () => "CONFLICT"), "created"]);
  });

  it.each([
    "",
    "ada",
    "ada@",
    "@example.com",
    "a b@example.com",
    "a@b@c.example",
    "a\0@example.com",
    "a@example.com\n",
    `${"a".repeat(250)}@example.com`,
    "ä@example.com",
  ])("is refused with the address %j", async (email) => {
    expect(await rejection(accounts.create({ email, name: "A" }))).toEqual({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/^email: /),
    });
  });

  it.each([
    [{ name: "a\0b" }, "name: must not contain control characters"],
    [{ name: "x".repeat(101) }, "name: must have at most 100 characters"],
    [{ plan: "gold" }, "plan: must be one of free, pro, enterprise"],
    [{ plan: "Pro" }, "plan: must be one of free, pro, enterprise"],
  ])("is refused with %j", async (bad, message) => {
    expect(await rejection(accounts.create({ email: "bad@example.com", ...bad }))).toEqual({
      code: "BAD_REQUEST",
      message,
    });
  });
});

describe("an account's plan", () => {
  it("changes by its address", async () => {
    const made = await accounts.create({ email: "plan@example.com" });
    expect(await accounts.setPlan("PLAN@example.com", "enterprise")).toEqual({ ...made, plan: "enterprise" });
    expect((await accounts.byEmail("plan@example.com")).plan).toBe("enterprise");
  });

  it("is refused if there is no such plan, and nothing changes", async () => {
    await accounts.create({ email: "keep@example.com", plan: "pro" });
    expect((await rejection(accounts.setPlan("keep@example.com", "platinum"))).code).toBe("BAD_REQUEST");
    expect((await accounts.byEmail("keep@example.com")).plan).toBe("pro");
  });
});

describe("an address without an account", () => {
  it.each(["nobody@example.com", "Nobody@Example.com"])("is not found: %s", async (email) => {
    const message = `No user has the e-mail address ${email}`;
    expect(await rejection(accounts.byEmail(email))).toEqual({ code: "NOT_FOUND", message });
    expect(await rejection(accounts.setPlan(email, "pro"))).toEqual({ code: "NOT_FOUND", message });
  });

  it.each(named(["", "%", "a\0b", "\uD800", "'", "x".repeat(100_000)]))(
    "is not found where it is none: %s",
    async (_, email) => {
      expect((await rejection(accounts.byEmail(email))).code).toBe("NOT_FOUND");
    },
  );
});

describe("the list of accounts", () => {
  it("is oldest first", async () => {
    let now = new Date("2026-01-01T00:00:00Z");
    const test = await createTestCore({ clock: () => now });
    try {
      expect(await test.core.accounts.list()).toEqual([]);
      for (const email of ["c@example.com", "a@example.com", "b@example.com"]) {
        now = new Date(now.getTime() + 1000);
        await test.core.accounts.create({ email });
      }
      expect(await test.core.accounts.list()).toMatchObject([
        { email: "c@example.com", created_at: "2026-01-01T00:00:01.000Z" },
        { email: "a@example.com" },
        { email: "b@example.com" },
      ]);
    } finally {
      await test.close();
    }
  });
});

describe("the first account", () => {
  const owner = (at: number) => ({
    email: `Owner${at}@example.com`,
    name: "Owner",
    plan: "enterprise" as const,
  });

  it("is created if there is none, found by its address, and not created again", async () => {
    const test = await createTestCore();
    try {
      const made = await test.core.accounts.createFirst(owner(1));
      expect(made).toMatchObject({ email: "owner1@example.com", name: "Owner", plan: "enterprise" });
      expect(await test.core.accounts.byEmail("owner1@example.com")).toEqual(made);
      expect(await test.core.accounts.createFirst(owner(2))).toBeNull();
      expect(await test.core.accounts.list()).toHaveLength(1);
    } finally {
      await test.close();
    }
  });

  it("is created once by many concurrent nodes", async () => {
    const test = await createTestCore();
    try {
      // Open the connections first, so that all requests run at the same moment.
      const { pool } = depsOf(test.core);
      await Promise.all(Array.from({ length: 10 }, () => pool.query("select pg_sleep(0.05)")));
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, at) => test.core.accounts.createFirst(owner(at))),
      );
      expect(made.filter((each) => each !== null)).toHaveLength(1);
      expect(await test.core.accounts.list()).toHaveLength(1);
    } finally {
      await test.close();
    }
  });
});
