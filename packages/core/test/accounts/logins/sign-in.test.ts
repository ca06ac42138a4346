import { afterAll, describe, expect, it } from "vitest";
import type { Identity } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, rejection } from "../../helpers.ts";

const { core, close } = await createTestCore();
afterAll(close);
const { logins, accounts } = core;

let people = 0;
/** A new person, with an address that the provider has verified. */
function person(more: Partial<Identity> = {}): Identity {
  const subject = `subject-${++people}`;
  return {
    provider: "google",
    issuer: "https://issuer.example",
    subject,
    email: `${subject}@example.com`,
    email_verified: true,
    name: "Ada Lovelace",
    ...more,
  };
}
const rows = async (table: "users" | "identities", column: string, value: string) =>
  (await depsOf(core).pool.query(`select 1 from ${table} where ${column} = $1`, [value])).rowCount;

describe("a first login", () => {
  it("creates a Free account with the provider's name and address", async () => {
    const who = person({ email: "Ada.First@Example.com" });
    const account = await logins.signIn(who);
    expect(account).toEqual({
      id: expect.any(String),
      email: "ada.first@example.com",
      name: "Ada Lovelace",
      plan: "free",
    });
    expect(await accounts.byEmail("ada.first@example.com")).toEqual(account);
    expect(await logins.signIn(who)).toEqual(account);
  });

  it.each([
    [null, /^subject-\d+$/],
    [" \n\t", /^subject-\d+$/],
    ["Ada\u0000\r\nLovelace ", /^Ada Lovelace$/],
    ["x".repeat(500), /^x{100}$/],
    [`${"x".repeat(99)}😀`, /^x{99}\uFFFD$/],
  ])("makes a name that can be shown of %j", async (name, expected) => {
    const account = await logins.signIn(person({ name }));
    expect(account.name).toMatch(expected);
  });

  it("of one person in many tabs at once gives one account", async () => {
    for (const email_verified of [true, false]) {
      const who = person({ email_verified });
      const found = await Promise.all(Array.from({ length: 20 }, () => logins.signIn(who)));
      expect(new Set(found.map(({ id }) => id)).size).toBe(1);
      expect(await rows("users", "email", who.email as string)).toBe(1);
      expect(await rows("identities", "subject", who.subject)).toBe(1);
    }
  });

  it("through several providers at once gives one account", async () => {
    const { email } = person();
    const found = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        logins.signIn(person({ email, issuer: `https://${at}.example` })),
      ),
    );
    expect(new Set(found.map(({ id }) => id)).size).toBe(1);
  });

  it("without an address is refused, and leaves nothing", async () => {
    const who = person({ email: null, email_verified: false });
    expect(await rejection(logins.signIn(who))).toEqual({
      code: "FORBIDDEN",
      message: expect.stringMatching(/^email: the provider shared no verified address \(claim email\)/),
    });
    expect(await rows("identities", "subject", who.subject)).toBe(0);
  });

  it.each([
    { email: "nonsense" },
    { email: "a\u0000@example.com" },
    { subject: "" },
    { subject: "a\u0000b" },
    { subject: "x".repeat(256) },
  ])("with what cannot be stored is refused: %j", async (bad) => {
    expect((await rejection(logins.signIn(person(bad)))).code).toBe("BAD_REQUEST");
  });
});

describe("a later login", () => {
  it("finds the account by issuer and subject, even if the address changed", async () => {
    const who = person();
    const account = await logins.signIn(who);
    expect(await logins.signIn({ ...who, email: "moved@example.com", name: "Other" })).toEqual(account);
    expect(await logins.signIn({ ...who, email: null, email_verified: false })).toEqual(account);
    expect(await logins.signIn({ ...who, provider: "renamed" })).toEqual(account);
  });

  it("belongs to another person if the same subject comes from another issuer", async () => {
    const who = person();
    const account = await logins.signIn(who);
    const other = await logins.signIn({
      ...who,
      issuer: "https://other.example",
      email: "other@example.com",
    });
    expect(other.id).not.toBe(account.id);
  });
});

describe("an address that has an account", () => {
  const taken = (email: string) => ({
    code: "CONFLICT",
    message: `email: ${email} belongs to an account already; sign in the way you did before`,
  });

  it("joins if the provider has verified it, in any case", async () => {
    const account = await accounts.create({ email: "made@example.com", plan: "pro" });
    const who = person({ email: "Made@Example.com" });
    expect(await logins.signIn(who)).toEqual(account);
    expect(await logins.signIn({ ...who, email: null })).toEqual(account);
  });

  it("never joins the owner of a first start, and gives the address to nobody", async () => {
    const claim = person({ email: "Owner@terse.local" });
    const refused = {
      code: "FORBIDDEN",
      message: "email: owner@terse.local is reserved for the owner of this service",
    };
    expect(await rejection(logins.signIn(claim))).toEqual(refused);
    const owner = await accounts.create({ email: "owner@terse.local", plan: "enterprise" });
    expect(await rejection(logins.signIn(claim))).toEqual(refused);
    expect(await rows("identities", "account_id", owner.id)).toBe(0);
  });

  it("never joins if the provider has not verified it", async () => {
    await accounts.create({ email: "victim@example.com", plan: "enterprise" });
    const attacker = person({ email: "victim@example.com", email_verified: false });
    expect(await rejection(logins.signIn(attacker))).toEqual(taken("victim@example.com"));
    expect(await rows("identities", "subject", attacker.subject)).toBe(0);
  });

  describe("that was never proven", () => {
    const email = () => `squatted-${people}@example.com`;
    const placeholder = ({ id }: { id: string }) => `${id}@unproven.invalid`;

    it("goes to a new account of the person who proves it; the other account stays without it", async () => {
      const squatter = person({ email: email(), email_verified: false });
      const squatted = await logins.signIn(squatter);
      const owner = person({ email: squatter.email });
      const own = await logins.signIn(owner);
      expect(own).toMatchObject({ email: squatter.email, plan: "free" });
      expect(own.id).not.toBe(squatted.id);
      expect(await logins.signIn(squatter)).toEqual({ ...squatted, email: placeholder(squatted) });
      expect(await logins.signIn(owner)).toEqual(own);
      expect(await accounts.byEmail(own.email)).toEqual(own);
    });

    it("goes to one account if its owner signs in through many providers at once", async () => {
      const squatter = person({ email: email(), email_verified: false });
      const squatted = await logins.signIn(squatter);
      const found = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          logins.signIn(person({ email: squatter.email, issuer: `https://${at}.example` })),
        ),
      );
      expect(new Set(found.map(({ id }) => id)).size).toBe(1);
      expect(found[0]?.id).not.toBe(squatted.id);
    });

    it("is replaced by the one that the provider reports later, if that is free", async () => {
      const squatter = person({ email: email(), email_verified: false });
      const squatted = await logins.signIn(squatter);
      await logins.signIn(person({ email: squatter.email }));
      const holder = await accounts.create({ email: `taken-${people}@example.com` });
      expect(await logins.signIn({ ...squatter, email: holder.email })).toMatchObject({
        email: placeholder(squatted),
      });
      const moved = { ...squatter, email: `moved-${people}@example.com` };
      expect(await logins.signIn(moved)).toEqual({ ...squatted, email: moved.email });
      expect(await logins.signIn(squatter)).toEqual({ ...squatted, email: moved.email });
    });

    it("selects no account for an operator, unless told that it may", async () => {
      const { email: address, ...rest } = await logins.signIn(
        person({ email: email(), email_verified: false }),
      );
      const refused = {
        code: "CONFLICT",
        message: `The address ${address} was never verified, so the account may be someone else's: pass --unverified to select it anyway`,
      };
      expect(await rejection(accounts.byEmail(address))).toEqual(refused);
      expect(await rejection(accounts.setPlan(address, "enterprise"))).toEqual(refused);
      expect((await accounts.list()).find(({ id }) => id === rest.id)).toMatchObject({
        email_verified: false,
      });
      const promoted = await accounts.setPlan(address, "pro", { unverified: true });
      expect(promoted).toEqual({ ...rest, email: address, plan: "pro" });
    });
  });

  it("joins once the provider of its first login has verified it", async () => {
    const who = person({ email_verified: false });
    const account = await logins.signIn(who);
    await logins.signIn({ ...who, email_verified: true });
    const second = person({ email: who.email });
    expect(await logins.signIn(second)).toEqual(account);
  });
});
