import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { CoreOptions, Identity } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { anonymous, rejection, url } from "../helpers.ts";

async function coreWith(options: Partial<CoreOptions>) {
  const test = await createTestCore(options);
  onTestFinished(test.close);
  return test;
}

let people = 0;
const person = (email: string, more: Partial<Identity> = {}): Identity => ({
  provider: "google",
  issuer: "https://issuer.example",
  subject: `person-${++people}`,
  email,
  email_verified: true,
  name: null,
  ...more,
});

it("without anonymous links, a call without a credential is refused before its input is read", async () => {
  const { core, actor } = await coreWith({ anonymousLinks: false });
  const refusal = {
    code: "UNAUTHORIZED",
    message: "Authentication required: send Authorization: Bearer <API_KEY>, or sign in",
  };
  for (const input of [{ url }, { url: "nonsense" }])
    expect(await rejection(core.caller(anonymous).links.create(input))).toEqual(refusal);
  expect(await core.caller(await actor()).links.create({ url })).toHaveProperty("shortUrl");
});

it("without anonymous slugs, only an account chooses a slug", async () => {
  const { core, actor } = await coreWith({ anonymousSlugs: false });
  const { links } = core.caller(anonymous);
  expect(await rejection(links.create({ url, slug: "chosen" }))).toEqual({
    code: "UNAUTHORIZED",
    message: "slug: Authentication required: send Authorization: Bearer <API_KEY>, or sign in",
  });
  expect((await links.create({ url })).slug).toMatch(/^\w{7}$/);
  expect((await core.caller(await actor()).links.create({ url, slug: "chosen" })).slug).toBe("chosen");
});

describe("a closed sign-up", async () => {
  const test = await createTestCore({ signUp: "closed", defaultPlan: "pro" });
  afterAll(test.close);
  const { logins, accounts } = test.core;

  it("creates no account", async () => {
    const { code, message } = await rejection(logins.signIn(person("new@example.com")));
    expect([code, message]).toEqual([
      "FORBIDDEN",
      "There is no account with the address new@example.com, and this service does not create one for it; ask its operator for an account",
    ]);
    expect(await accounts.list()).toEqual([]);
  });

  it("does not concern accounts that exist: those of an operator can be joined, and get the default plan", async () => {
    const made = await accounts.create({ email: "invited@example.com" });
    expect(made.plan).toBe("pro");
    const who = person("invited@example.com");
    expect(await logins.signIn(who)).toEqual(made);
    expect(await logins.signIn({ ...who, email: "moved@example.com" })).toEqual(made);
  });
});

it("a sign-up by a list is open to verified addresses on it, and to no similar ones", async () => {
  const { core } = await coreWith({ signUp: ["Ada@example.com", "example.org"], defaultPlan: "enterprise" });
  const signIn = (email: string, more?: Partial<Identity>) => core.logins.signIn(person(email, more));
  for (const email of ["ADA@example.com", "anybody@example.org"])
    expect(await signIn(email)).toMatchObject({ email: email.toLowerCase(), plan: "enterprise" });
  for (const email of [
    "other@example.com",
    "a@sub.example.org",
    "a@notexample.org",
    "example.org@evil.example",
    "ada@example.com.evil.example",
  ])
    expect((await rejection(signIn(email))).code).toBe("FORBIDDEN");
  expect((await rejection(signIn("new@example.org", { email_verified: false }))).message).toMatch(
    /^The provider has not verified the address new@example\.org/,
  );
});
