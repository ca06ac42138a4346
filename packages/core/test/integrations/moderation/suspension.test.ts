import { until } from "@terse/testkit";
import { afterAll, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { anonymous, rejection, second, unknownId, url } from "../../helpers.ts";
import { answer, watchingCore } from "../../redirects/helpers.ts";

const { core, databaseUrl, account, key, close } = await createTestCore();
afterAll(close);
const { accounts, credentials, logins, sessions } = core;
const suspended = {
  code: "FORBIDDEN",
  message: "This account is suspended; ask the operator of this service",
};

it("a suspended account's links and buckets answer 410 on every node within a second, and no other links do", async () => {
  const [one, other] = [await account("pro"), await account("pro")];
  const callerOf = (owner: typeof one) =>
    core.caller({ kind: "account", account: owner, credential: "internal" });
  const link = await callerOf(one).links.create({ url });
  const bucket = await callerOf(one).buckets.create({ name: "Page", links: [{ title: "One", url }] });
  const untouched = [
    await callerOf(other).links.create({ url }),
    await core.caller(anonymous).links.create({ url }),
  ];
  const slugs = [link.slug, bucket.slug, `${bucket.slug}/1`];
  const node = await watchingCore(databaseUrl);
  const answers = (of: string[]) => Promise.all(of.map((slug) => answer(node, slug)));
  const before = await answers(slugs);
  expect(before).toEqual([url, "bucket", url]);
  await answers(untouched.map(({ slug }) => slug));
  const cached = node.redirects.stats().routes;

  await accounts.suspend(one.id, "phishing");
  await until(async () => new Set(await answers(slugs)).size === 1, second);
  expect(await answers(slugs)).toEqual(["disabled", "disabled", "disabled"]);
  expect(node.redirects.peek(link.slug, Date.now())).toBeNull();
  for (const { slug } of untouched) expect(node.redirects.peek(slug, Date.now())).not.toBeNull();
  expect(node.redirects.stats().routes).toBe(cached);

  await accounts.resume(one.id);
  await until(async () => (await answers(slugs)).join() === before.join(), second);
});

it("a suspended account is refused with every credential, and signs in again once it is resumed", async () => {
  const { key: token, account: owner } = await key("pro");
  const { token: session } = await sessions.create(owner.id);
  const who = {
    provider: "google",
    issuer: "https://issuer.example",
    subject: "suspended",
    email: owner.email,
    email_verified: true,
    name: null,
  };
  await logins.signIn(who);
  const link = await logins.issueLink(owner.id);
  await accounts.suspend(owner.id, "phishing");
  const attempts = [
    () => credentials.byKey(token),
    () => credentials.bySession(session),
    () => logins.signIn(who),
    () => logins.signIn({ ...who, subject: "another way" }),
    () => logins.redeemLink(link.token),
  ];
  for (const attempt of attempts) expect(await rejection(attempt())).toEqual(suspended);
  expect(await credentials.byKey(`${token}x`)).toBeNull();
  await accounts.resume(owner.id);
  for (const attempt of attempts.slice(0, 4)) expect(await attempt()).not.toBeNull();
});

it("operators see why and since when an account is suspended; a second reason replaces the first", async () => {
  const { id } = await account();
  const first = await accounts.suspend(id, " phishing ");
  expect(first).toMatchObject({ suspended_reason: "phishing", suspended_at: expect.any(String), links: 0 });
  expect(await accounts.suspend(id, "malware")).toEqual({ ...first, suspended_reason: "malware" });
  expect(await accounts.resume(id)).toMatchObject({ suspended_at: null, suspended_reason: null });
  expect((await rejection(accounts.suspend(id, " "))).message).toBe("reason: must not be empty");
  for (const missing of [unknownId, "x"])
    expect((await rejection(accounts.suspend(missing, "x"))).code).toBe("NOT_FOUND");
});

it("a deleted account leaves nothing that redirects, and its slugs are free", async () => {
  const { account: owner, key: token } = await key("pro");
  const caller = core.caller({ kind: "account", account: owner, credential: "internal" });
  const { slug } = await caller.links.create({ url });
  await caller.buckets.create({ name: "Page", slug: "deleted-page", links: [{ title: "One", url }] });
  await accounts.delete(owner.id);
  expect(await credentials.byKey(token)).toBeNull();
  for (const gone of [slug, "deleted-page", "deleted-page/1"])
    expect(await answer(await watchingCore(databaseUrl), gone)).toBe("not_found");
  expect((await core.caller(anonymous).links.create({ url, slug })).slug).toBe(slug);
  expect((await rejection(accounts.delete(owner.id))).code).toBe("NOT_FOUND");
});
