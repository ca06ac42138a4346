import { createAuthenticator } from "@terse/testkit/authenticator";
import { afterAll, describe, expect, it } from "vitest";
import { type Account, type Actor, type Core, createCore } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, rejection } from "../../helpers.ts";

const origin = "https://terse.test";
let now = new Date("2026-03-01T12:00:00Z");
const test = await createTestCore({ clock: () => now, baseUrl: origin });
const { core, account, close, databaseUrl } = test;
const { pool } = depsOf(core);
afterAll(close);
const minuteMs = 60_000;

type Options = { challenge: string; user?: { id: string } };
const client = () => `198.51.100.${Math.floor(Math.random() * 250)}`;
const source = {
  address: "203.0.113.9",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0",
};

async function session({ id }: Account) {
  const { token } = await core.sessions.create(id);
  const actor = (await core.credentials.bySession(token, source)) as Actor;
  return { token, actor, caller: core.caller(actor) };
}

const addOptions = async (actor: Actor, on: Core = core) =>
  (await on.passkeys.addOptions(actor)) as unknown as Options;
const signInOptions = async (again?: Actor) =>
  (await core.passkeys.signInOptions(client(), again)) as unknown as Options;
const signIn = (response: unknown, again?: Actor) =>
  core.passkeys.signIn(client(), response, { source, ...(again && { again }) });
const refusal = async (work: Promise<unknown>) => {
  const error = (await work.catch((thrown: unknown) => thrown)) as {
    code: string;
    issues: [{ code: string; params?: { reason?: string } }];
  };
  return [error.code, error.issues[0].params?.reason ?? error.issues[0].code];
};

/** A new account, its session, and a passkey of it. */
async function withPasskey(name?: string) {
  const owner = await account();
  const begun = await session(owner);
  const device = createAuthenticator(origin);
  const passkey = await core.passkeys.add(begun.actor, device.make(await addOptions(begun.actor)), name);
  return { owner, ...begun, device, passkey };
}

describe("a passkey", () => {
  it("signs in to its account, and says when it last did", async () => {
    const { owner, caller, device, passkey } = await withPasskey();
    expect(passkey).toMatchObject({ name: "Firefox on Linux", synced: false, last_used_at: null });
    expect(await signIn(device.use(await signInOptions()))).toEqual(owner);
    const [listed] = await caller.passkeys.list();
    expect(listed).toMatchObject({ id: passkey.id, last_used_at: now.toISOString() });
    expect((await caller.activity.list({})).data.map(({ action, about }) => [action, about])).toEqual([
      ["passkey_added", "Firefox on Linux"],
      ["signed_in", null],
    ]);
  });

  it("is asked for with user verification, found without a name, and not made twice on one device", async () => {
    const { actor, device } = await withPasskey();
    const id = device.id.toString("base64url");
    expect(await addOptions(actor)).toMatchObject({
      rp: { id: "terse.test" },
      attestation: "none",
      excludeCredentials: [{ id }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const options = await signInOptions();
    expect(options).toMatchObject({ rpId: "terse.test", userVerification: "required" });
    expect(options).not.toHaveProperty("allowCredentials.0");
    expect(await signInOptions(actor)).toMatchObject({ allowCredentials: [{ id }] });
  });

  it("is refused with a challenge that is used, late, for something else, or of nobody", async () => {
    const { actor, device } = await withPasskey();
    const used = device.use(await signInOptions());
    await signIn(used);
    const expired = ["UNAUTHORIZED", "expired"];
    expect(await refusal(signIn(used))).toEqual(expired);
    const challenge = "A".repeat(43);
    expect(await refusal(signIn(device.use({ challenge })))).toEqual(expired);
    expect(await refusal(signIn(device.use(await signInOptions(actor))))).toEqual(expired);
    expect(await refusal(signIn(device.use(await signInOptions()), actor))).toEqual(expired);
    expect(await refusal(signIn(device.use(await addOptions(actor))))).toEqual(expired);
    const late = device.use(await signInOptions());
    now = new Date(now.getTime() + 5 * minuteMs);
    expect(await refusal(signIn(late))).toEqual(expired);
  });

  it("signs in once if an answer is sent twice at the same time", async () => {
    const { device } = await withPasskey();
    const answer = device.use(await signInOptions());
    const outcomes = await Promise.allSettled([signIn(answer), signIn(answer), signIn(answer)]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("is refused from another origin, without user verification, or with a wrong signature or owner", async () => {
    const { device, actor } = await withPasskey();
    const invalid = ["UNAUTHORIZED", "invalid"];
    for (const from of [
      "https://evil.test",
      "https://sub.terse.test",
      "http://terse.test",
      "https://terse.test:8443",
    ])
      expect(await refusal(signIn(device.use(await signInOptions(), { origin: from })))).toEqual(invalid);
    expect(await refusal(signIn(device.use(await signInOptions(), { isVerified: false })))).toEqual(invalid);
    const [one, two] = [device.use(await signInOptions()), device.use(await signInOptions())];
    const mixed = { ...one, response: { ...one.response, signature: two.response["signature"] } };
    expect(await refusal(signIn(mixed))).toEqual(invalid);
    const other = await withPasskey();
    const answer = other.device.use(await signInOptions());
    const userHandle = (await addOptions(actor)).user?.id;
    const stolen = { ...answer, response: { ...answer.response, userHandle } };
    expect(await refusal(signIn(stolen))).toEqual(["UNAUTHORIZED", "unknown"]);
    expect(await refusal(signIn(createAuthenticator(origin).use(await signInOptions())))).toEqual([
      "UNAUTHORIZED",
      "unknown",
    ]);
    for (const text of ["", "null", "x", JSON.stringify({})]) {
      const clientDataJSON = Buffer.from(text).toString("base64url");
      const broken = { ...one, response: { ...one.response, clientDataJSON } };
      expect((await refusal(signIn(broken)))[0]).toMatch(/^(UNAUTHORIZED|BAD_REQUEST)$/);
    }
  });

  it("is refused if its counter goes back, which its owner learns; one that does not count is not", async () => {
    const { device, caller } = await withPasskey();
    for (const counter of [5, 6]) await signIn(device.use(await signInOptions(), { counter }));
    for (const counter of [6, 3, 0])
      expect(await refusal(signIn(device.use(await signInOptions(), { counter })))).toEqual([
        "UNAUTHORIZED",
        "counter",
      ]);
    const [entry] = (await caller.activity.list({})).data;
    expect(entry).toMatchObject({
      action: "sign_in_refused",
      about: "the passkey may have been copied",
      count: 3,
    });
    const uncounted = await withPasskey();
    for (const counter of [0, 0]) await signIn(uncounted.device.use(await signInOptions(), { counter }));
  });

  it("signs in again only to the account of the session", async () => {
    const [mine, theirs] = [await withPasskey(), await withPasskey()];
    const { actor, device, owner } = mine;
    expect(await signIn(device.use(await signInOptions(actor)), actor)).toEqual(owner);
    expect(await refusal(signIn(theirs.device.use(await signInOptions(actor)), actor))).toEqual([
      "UNAUTHORIZED",
      "unknown",
    ]);
  });

  it("belongs to its person, whichever workspace the session names", async () => {
    const { token, device, owner, caller } = await withPasskey("Laptop");
    const { id: workspace } = await caller.workspaces.create({ name: "Team" });
    const actor = (await core.credentials.bySession(token, { ...source, workspace })) as Actor;
    const options = await addOptions(actor);
    await core.passkeys.add(actor, createAuthenticator(origin).make(options), "Phone");
    const names = [core.caller(actor), caller].map(async ({ passkeys }) =>
      (await passkeys.list()).map(({ name }) => name),
    );
    expect(await Promise.all(names)).toEqual([
      ["Phone", "Laptop"],
      ["Phone", "Laptop"],
    ]);
    expect(await core.passkeys.list(workspace)).toEqual([]);
    expect(await signIn(device.use(await signInOptions(actor)), actor)).toEqual(owner);
    const [first] = (await caller.activity.list({})).data;
    expect(first).toMatchObject({ action: "passkey_added", about: "Phone" });
  });

  it("does not sign in to a suspended account", async () => {
    const { owner, device } = await withPasskey();
    await core.accounts.suspend(owner.id, "spam");
    expect(await refusal(signIn(device.use(await signInOptions())))).toEqual(["FORBIDDEN", "suspended"]);
    await core.accounts.resume(owner.id);
    expect(await signIn(device.use(await signInOptions()))).toEqual(owner);
  });
});

describe("adding a passkey", () => {
  it("needs a session that began within ten minutes, not a key", async () => {
    const owner = await account();
    const { actor } = await session(owner);
    const device = createAuthenticator(origin);
    const answer = device.make(await addOptions(actor));
    now = new Date(now.getTime() + 11 * minuteMs);
    for (const refused of [addOptions(actor), core.passkeys.add(actor, answer)])
      expect(await refusal(refused)).toEqual(["FORBIDDEN", "sign_in_again"]);
    const key: Actor = { kind: "account", account: owner, credential: "key" };
    expect(await refusal(addOptions(key))).toEqual(["FORBIDDEN", "credential_refused"]);
    expect(await refusal(addOptions({ kind: "anonymous" }))).toEqual(["UNAUTHORIZED", "unauthenticated"]);
  });

  it("is refused from another origin, without user verification, late, twice, with certificates, or of another account", async () => {
    const { actor, device } = await withPasskey();
    const other = (await session(await account())).actor;
    const invalid = ["BAD_REQUEST", "invalid"];
    const fresh = createAuthenticator(origin);
    const add = (answer: unknown, as = actor) => refusal(core.passkeys.add(as, answer));
    expect(await add(fresh.make(await addOptions(actor), { origin: "https://evil.test" }))).toEqual(invalid);
    expect(await add(fresh.make(await addOptions(actor), { isVerified: false }))).toEqual(invalid);
    for (const format of ["packed", "fido-u2f", "android-key"])
      expect(await add(fresh.make(await addOptions(actor), {}, format))).toEqual(invalid);
    expect(await add(fresh.make(await addOptions(other)))).toEqual(["BAD_REQUEST", "expired"]);
    const taken = ["CONFLICT", "taken"];
    expect(await add(device.make(await addOptions(actor)))).toEqual(taken);
    expect(await add(device.make(await addOptions(other)), other)).toEqual(taken);
    const late = fresh.make(await addOptions(actor));
    now = new Date(now.getTime() + 5 * minuteMs);
    expect(await add(late)).toEqual(["BAD_REQUEST", "expired"]);
  });

  it("works on any node, and for two at once up to the limit", async () => {
    const { actor, owner } = await withPasskey();
    await pool.query(
      `insert into passkeys select gen_random_uuid(), $1, uuid_send(gen_random_uuid()), '', 0, '{}', false, 'Old', now()
       from generate_series(1, 23)`,
      [owner.id],
    );
    const answers = [];
    for (let at = 0; at < 3; at++) answers.push(createAuthenticator(origin).make(await addOptions(actor)));
    const outcomes = await Promise.allSettled(answers.map((answer) => core.passkeys.add(actor, answer)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await core.passkeys.list(owner.id)).toHaveLength(25);
  });

  it("leaves no challenge behind", async () => {
    for (let at = 0; at < 3; at++) await signInOptions();
    now = new Date(now.getTime() + 5 * minuteMs);
    await signInOptions();
    const { rows } = await depsOf(core).pool.query("select from passkey_challenges");
    expect(rows).toHaveLength(1);
  });
});

describe("the passkeys of an account", () => {
  it("are renamed and removed, but never the last way to sign in, even by two calls at once", async () => {
    const { actor, caller, token, owner, passkey } = await withPasskey("Laptop");
    const other = await session(owner);
    const { id } = await core.passkeys.add(
      actor,
      createAuthenticator(origin).make(await addOptions(actor)),
      "Phone",
    );
    await caller.passkeys.rename({ id, name: "New phone" });
    expect((await caller.passkeys.list()).map(({ name }) => name)).toEqual(["New phone", "Laptop"]);
    const outcomes = await Promise.all(
      [id, passkey.id].map((each) =>
        caller.passkeys.remove({ id: each }).catch(({ code }: { code: string }) => code),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "CONFLICT")).toHaveLength(1);
    expect(await caller.passkeys.list()).toHaveLength(1);
    expect(await core.credentials.bySession(token)).not.toBeNull();
    expect(await core.credentials.bySession(other.token)).toBeNull();
  });

  it("count beside identities", async () => {
    const { caller, owner, passkey } = await withPasskey();
    const { id: subject, email } = owner;
    const identity = { provider: "google", issuer: "https://google.example", subject, email, name: null };
    await core.logins.signIn({ ...identity, email_verified: true });
    const [{ id } = { id: "" }] = await caller.identities.list();
    await caller.identities.unlink({ id });
    expect((await rejection(caller.passkeys.remove({ id: passkey.id }))).code).toBe("CONFLICT");
    await core.logins.signIn({ ...identity, email_verified: true });
    await caller.passkeys.remove({ id: passkey.id });
  });

  it("may all go where codes are sent to a proven address", async () => {
    const mail = { url: "smtp://localhost:1", from: "terse@example.com" };
    const options = { databaseUrl, shortBase: "http://short.test", baseUrl: origin, clock: () => now, mail };
    const node = await createCore(options);
    const { owner, token, passkey } = await withPasskey();
    const { passkeys } = node.caller((await node.credentials.bySession(token, source)) as Actor);
    const verify = (isVerified: boolean) =>
      pool.query("update workspaces set email_verified = $2 where id = $1", [owner.id, isVerified]);
    await verify(false);
    expect((await rejection(passkeys.remove({ id: passkey.id }))).code).toBe("CONFLICT");
    await verify(true);
    await passkeys.remove({ id: passkey.id });
    expect(await passkeys.list()).toEqual([]);
    await node.close();
  });

  it("are removed by the operator, even the last, and then refused", async () => {
    const { owner, device, passkey, caller } = await withPasskey();
    const answer = device.use(await signInOptions());
    expect(await core.passkeys.list(owner.id)).toEqual([passkey]);
    expect(await core.passkeys.remove(passkey.id)).toBe(true);
    expect(await core.passkeys.remove(passkey.id)).toBe(false);
    expect(await refusal(signIn(answer))).toEqual(["UNAUTHORIZED", "unknown"]);
    const [entry] = (await caller.activity.list({})).data;
    expect(entry).toMatchObject({ action: "passkey_removed", by: { kind: "operator" } });
  });
});

it.each([
  ["https://terse.test", true],
  ["http://localhost:3000", true],
  ["http://terse.test", false],
  ["https://203.0.113.5", false],
  ["http://[::1]:3000", false],
])("passkeys at %s: %s", async (baseUrl, isSupported) => {
  const other = await createTestCore({ baseUrl });
  expect(other.core.passkeys.isSupported).toBe(isSupported);
  await other.close();
});
