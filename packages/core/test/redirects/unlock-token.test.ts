import { afterAll, describe, expect, it } from "vitest";
import type { Decision, Visitor } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { unknownId, url } from "../helpers.ts";
import { issueUnlockToken, isUnlockToken, unlockSeconds } from "../../src/redirects/rules/password.ts";

const start = Date.parse("2026-03-01T12:00:00.000Z");
let now = start;
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const { links } = core.caller(await actor("pro"));

const resolve = (slug: string, of: Partial<Visitor>): Promise<Decision> =>
  core.redirects.resolve("short.test", slug, { country: () => null, id: () => "visitor", ...of });
const asked = (link_id: string) => ({ kind: "password", link_id, wrong: false });

/** A link that was opened with its password, and the unlock token for it. */
async function opened(password = "sesame") {
  const { id, slug } = await links.create({ url, password });
  const decision = await resolve(slug, { password });
  if (decision.kind !== "redirect" || !decision.unlock_token) throw new Error("No unlock token was given");
  return { id, slug, token: decision.unlock_token };
}

describe("an unlock token", () => {
  it("is issued for a right password, and opens the link without it", async () => {
    const { slug, token } = await opened();
    expect(token.seconds).toBe(900);
    const decision = await resolve(slug, { unlock_token: token.value });
    expect(decision).toMatchObject({ kind: "redirect", location: url });
    expect(decision).not.toHaveProperty("unlock_token");
  });

  it("is issued for nothing else", async () => {
    const { slug } = await opened();
    expect(await resolve(slug, { password: "wrong" })).not.toHaveProperty("unlock_token");
    const plain = await links.create({ url });
    expect(await resolve(plain.slug, { password: "sesame" })).not.toHaveProperty("unlock_token");
  });

  it("is valid to the millisecond", async () => {
    const { id, slug, token } = await opened();
    const end = now + unlockSeconds * 1000;
    now = end - 1;
    expect(await resolve(slug, { unlock_token: token.value })).toMatchObject({ kind: "redirect" });
    now = end;
    expect(await resolve(slug, { unlock_token: token.value })).toEqual(asked(id));
    now = start;
  });

  it("opens no other link, even with the same password", async () => {
    const [one, other] = [await opened(), await opened()];
    expect(await resolve(other.slug, { unlock_token: one.token.value })).toEqual(asked(other.id));
  });

  it("ends when the password changes, also if it is set again", async () => {
    const { id, slug, token } = await opened();
    for (const password of ["sesame", "another", "sesame"]) {
      await links.update({ id, password });
      expect(await resolve(slug, { unlock_token: token.value })).toEqual(asked(id));
    }
  });

  it("stays valid when anything else changes", async () => {
    const { id, slug, token } = await opened();
    await links.update({ id, url: "https://example.com/moved", slug: `${slug}-moved` });
    const decision = await resolve(`${slug}-moved`, { unlock_token: token.value });
    expect(decision).toMatchObject({ kind: "redirect", location: "https://example.com/moved" });
  });

  it("opens no link that is switched off or has expired", async () => {
    const { id, slug, token } = await opened();
    await links.update({ id, is_active: 0 });
    expect(await resolve(slug, { unlock_token: token.value })).toEqual({ kind: "gone", reason: "inactive" });
    await links.update({ id, is_active: 1, expires_at: new Date(now).toISOString() });
    expect(await resolve(slug, { unlock_token: token.value })).toEqual({ kind: "gone", reason: "expired" });
  });

  it("does not open the link if a wrong password is entered", async () => {
    const { id, slug, token } = await opened();
    const decision = await resolve(slug, { unlock_token: token.value, password: "wrong" });
    expect(decision).toEqual({ kind: "password", link_id: id, wrong: true });
  });

  it("is refused with any one character changed", async () => {
    const { id, slug, token } = await opened();
    for (const [at, character] of Array.from(token.value).entries()) {
      const changed = `${token.value.slice(0, at)}${character === "1" ? "2" : "1"}${token.value.slice(at + 1)}`;
      expect([changed, await resolve(slug, { unlock_token: changed })]).toEqual([changed, asked(id)]);
    }
  });

  it("is refused in any other form", async () => {
    const { id, slug, token } = await opened();
    const [until = "", signature = ""] = token.value.split(".");
    const later = String(Number(until) + 60);
    const forms = ["", ".", signature, `${until}.`, `.${signature}`, `${token.value}.`, ` ${token.value}`];
    const more = [
      `${later}.${signature}`,
      `0${token.value}`,
      `${until}.${signature}=`,
      "9".repeat(5000),
      "null",
    ];
    for (const value of [...forms, ...more, `${token.value}\n`]) {
      expect([value, await resolve(slug, { unlock_token: value })]).toEqual([value, asked(id)]);
    }
  });

  it("differs for another hash, link or time", () => {
    const issue = (hash = "scrypt$a$b", id = unknownId, at = start) => issueUnlockToken(hash, id, at);
    const tokens = [
      issue(),
      issue("scrypt$a$c"),
      issue(undefined, `${unknownId}0`),
      issue(undefined, undefined, 0),
    ];
    expect(new Set(tokens.map((token) => token.split(".")[1])).size).toBe(4);
    expect(isUnlockToken(issue(), "scrypt$a$b", unknownId, start)).toBe(true);
  });
});
