import { afterAll, describe, expect, it } from "vitest";
import type { PersonalAccount, Actor } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { rejection } from "../../helpers.ts";

let now = new Date("2026-03-01T12:00:00Z");
const { core, account, close } = await createTestCore({ clock: () => now });
afterAll(close);

const signInWith = ({ id, email }: PersonalAccount, provider: string) =>
  core.logins.signIn({
    provider,
    issuer: `https://${provider}.example`,
    subject: id,
    email,
    email_verified: true,
    name: null,
  });

async function session({ id }: PersonalAccount) {
  const { token } = await core.sessions.create(id);
  return { token, caller: core.caller((await core.credentials.bySession(token)) as Actor) };
}

describe("the identities of an account", () => {
  it("are listed, and can be unlinked except for the last, even by two calls at once", async () => {
    const owner = await account();
    for (const provider of ["google", "github"]) await signInWith(owner, provider);
    const [{ caller, token }, other] = [await session(owner), await session(owner)];
    const listed = await caller.identities.list();
    expect(listed.map(({ provider, issuer }) => [provider, issuer])).toEqual([
      ["github", "https://github.example"],
      ["google", "https://google.example"],
    ]);
    const outcomes = await Promise.all(
      listed.map(({ id }) => caller.identities.unlink({ id }).catch(({ code }: { code: string }) => code)),
    );
    expect(outcomes.filter((outcome) => outcome === "CONFLICT")).toHaveLength(1);
    expect(await caller.identities.list()).toHaveLength(1);
    expect(await core.credentials.bySession(token)).not.toBeNull();
    expect(await core.credentials.bySession(other.token)).toBeNull();
    expect((await caller.activity.list({})).data.map(({ action }) => action)).toEqual([
      "identity_unlinked",
      "signed_in",
      "signed_in",
      "identity_linked",
      "identity_linked",
    ]);
  });

  it("cannot be unlinked by an API key, nor ten minutes after the sign-in", async () => {
    const owner = await account();
    for (const provider of ["google", "github"]) await signInWith(owner, provider);
    const { caller } = await session(owner);
    const [{ id } = { id: "" }] = await caller.identities.list();
    const key = core.caller({ kind: "account", account: owner, credential: "key" });
    expect(await rejection(key.identities.unlink({ id }))).toEqual({
      code: "FORBIDDEN",
      message: "An API key cannot remove a way to sign in: sign in instead",
    });
    now = new Date(now.getTime() + 600_001);
    expect(await rejection(caller.identities.unlink({ id }))).toEqual({
      code: "FORBIDDEN",
      message: "Sign in again to remove a way to sign in: your sign-in is older than 10 minutes",
    });
    expect(await caller.identities.list()).toHaveLength(2);
  });
});
