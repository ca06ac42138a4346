import { afterAll, describe, expect, it } from "vitest";
import { weakHash } from "@terse/testkit";
import { strongCost } from "../../src/kernel/secrets.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf, url } from "../helpers.ts";
import { anotherCore, visitor } from "./helpers.ts";

const { core, actor, databaseUrl, close } = await createTestCore({ passwordCost: strongCost });
afterAll(close);
const { links } = core.caller(await actor("pro"));
const { pool } = depsOf(core);

/** Gives a link a password whose hash is weak. */
const setWeakPassword = (id: string, password: string) =>
  pool.query("update links set password_hash = $2 where id = $1", [id, weakHash(password)]);

/** A link whose password `sesame` has a weak hash. */
async function weakLink() {
  const { id, slug } = await links.create({ url });
  await setWeakPassword(id, "sesame");
  const hash = async () => {
    const { rows } = await pool.query<{ hash: string }>(
      "select password_hash as hash from links where id = $1",
      [id],
    );
    return rows[0]?.hash;
  };
  return { id, slug, hash };
}

const open = (node: typeof core, slug: string, more: { password?: string; unlock_token?: string }) =>
  node.redirects.resolve("short.test", slug, { ...visitor, ...more });
const tokenOf = (decision: Awaited<ReturnType<typeof open>>) =>
  decision.kind === "redirect" ? (decision.unlock_token?.value ?? "none") : decision.kind;

describe("a weak hash of a password", () => {
  it("is made again for a right password, not for a wrong one or a link that is opened by its cookie", async () => {
    const { slug, hash } = await weakLink();
    expect(await open(core, slug, { password: "wrong" })).toMatchObject({ kind: "password" });
    expect(await hash()).toBe(weakHash("sesame"));
    const token = tokenOf(await open(core, slug, { password: "sesame" }));
    const renewed = await hash();
    expect(renewed).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    // The cookie that the visitor got opens the link on every node.
    for (const node of [core, await anotherCore(databaseUrl)]) {
      expect(await open(node, slug, { unlock_token: token })).toMatchObject({ kind: "redirect" });
      expect(await open(node, slug, { password: "sesame" })).toMatchObject({ kind: "redirect" });
    }
    expect(await hash()).toBe(renewed);
  });

  it("is not made again over a password that was changed meanwhile", async () => {
    const { id, slug, hash } = await weakLink();
    await open(core, slug, {});
    const opening = open(core, slug, { password: "sesame" }); // this node still has the old route
    await setWeakPassword(id, "changed");
    const token = tokenOf(await opening);
    expect(token).toMatch(/^\d+\./);
    expect(await hash()).toBe(weakHash("changed"));
  });

  it("is made again once, whatever number of visitors enter it at once", async () => {
    const { slug, hash } = await weakLink();
    const visits = Array.from({ length: 4 }, () => open(core, slug, { password: "sesame" }));
    const tokens = (await Promise.all(visits)).map(tokenOf);
    expect(await hash()).toMatch(/^\$scrypt\$/);
    const opens = await Promise.all(tokens.map((unlock_token) => open(core, slug, { unlock_token })));
    expect(opens.filter(({ kind }) => kind === "redirect")).toHaveLength(1);
  });
});
