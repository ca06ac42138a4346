import { isDeepStrictEqual } from "node:util";
import { until } from "@terse/testkit";
import { afterAll, describe, expect, it } from "vitest";
import type { Account, Actor } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { anonymous, rejection, second, url } from "../../helpers.ts";
import { answer, watchingCore } from "../../redirects/helpers.ts";

let now = new Date("2026-03-01T12:00:00Z");
const { core, account, databaseUrl, close } = await createTestCore({ clock: () => now });
afterAll(close);
const minute = 60_000;

const callerOf = async (token: string) => core.caller((await core.credentials.bySession(token)) as Actor);

async function deleted(owner: Account) {
  const { token } = await core.sessions.create(owner.id, { way: "google" });
  return (await callerOf(token)).account.delete();
}

describe("an account that is being deleted", () => {
  it("has neither sessions nor working keys", async () => {
    const owner = await account("enterprise");
    const { key } = await core.keys.issue(owner.id);
    const other = await core.sessions.create(owner.id);
    const link = await core.logins.issueLink(owner.id);
    expect(await deleted(owner)).toEqual({ deletes_at: "2026-03-08T12:00:00.000Z" });
    expect(await core.accounts.details(owner.id)).toMatchObject({ deletes_at: "2026-03-08T12:00:00.000Z" });
    expect(await core.credentials.bySession(other.token)).toBeNull();
    expect(await core.logins.redeemLink(link.token)).toBeNull();
    expect(await rejection(core.credentials.byKey(key))).toEqual({
      code: "FORBIDDEN",
      message: "The account is being deleted, so its API keys do not work: sign in to keep it",
    });
  });

  it("has links that answer 410 on every node within a second, until it is kept", async () => {
    const owner = await account("enterprise");
    const caller = core.caller({ kind: "account", account: owner, credential: "internal" });
    const link = await caller.links.create({ url });
    const bucket = await caller.buckets.create({ name: "Page", links: [{ title: "Item", url }] });
    const { slug: others } = await core.caller(anonymous).links.create({ url });
    const slugs = [link.slug, bucket.slug, `${bucket.slug}/1`, others];
    const answers = [url, "bucket", url, url];
    const node = await watchingCore(databaseUrl);
    const onNode = async () => Promise.all(slugs.map((slug) => answer(node, slug)));
    expect(await onNode()).toEqual(answers);
    await deleted(owner);
    const off = ["inactive", "inactive", "inactive", url];
    await until(async () => isDeepStrictEqual(await onNode(), off), second);
    await core.sessions.create(owner.id);
    await until(async () => isDeepStrictEqual(await onNode(), answers), second);
  });

  it("is kept by a sign-in, which says so, with everything in it", async () => {
    const owner = await account("enterprise");
    const { key } = await core.keys.issue(owner.id);
    await deleted(owner);
    const { token, deletion_revoked } = await core.sessions.create(owner.id, { way: "google" });
    expect(deletion_revoked).toBe(true);
    expect(await core.credentials.byKey(key)).toMatchObject({ user: { id: owner.id } });
    expect((await core.sessions.create(owner.id)).deletion_revoked).toBe(false);
    const { data } = await (await callerOf(token)).activity.list({ limit: 5 });
    expect(data.map(({ action }) => action)).toEqual([
      "signed_in",
      "key_first_used",
      "deletion_revoked",
      "signed_in",
      "deletion_requested",
    ]);
  });
});

it("an account is not deleted by an API key, nor ten minutes after the sign-in", async () => {
  const owner = await account();
  const key = core.caller({ kind: "account", account: owner, credential: "key" });
  expect(await rejection(key.account.delete())).toEqual({
    code: "FORBIDDEN",
    message: "An API key cannot delete the account: sign in instead",
  });
  const { token } = await core.sessions.create(owner.id);
  now = new Date(now.getTime() + 10 * minute);
  const inTime = await callerOf(token);
  now = new Date(now.getTime() + 1);
  expect(await rejection(inTime.account.delete())).toEqual({
    code: "FORBIDDEN",
    message: "Sign in again to delete the account: your sign-in is older than 10 minutes",
  });
});
