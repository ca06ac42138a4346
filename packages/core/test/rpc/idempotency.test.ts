import { until } from "@terse/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { storeAnswer } from "../../src/rpc/idempotency/answers.ts";
import { requestOf } from "../../src/rpc/idempotency/request.ts";
import { type Actor, type Core, toFailure } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { call, idsOf, operations, seed } from "../fixtures.ts";
import { depsOf, dump, url } from "../helpers.ts";

const test = await createTestCore();
afterAll(test.close);
const { core } = test;

const posts = operations().filter(({ meta }) => meta.openapi?.method === "POST");

/** Calls an operation with an Idempotency-Key, and says whether the answer is an earlier one. */
async function callWith(key: string, name: string, actor: Actor, input: unknown, on: Core = core) {
  const context = on.createContext(actor, { idempotencyKey: key });
  const keyed = { ...on, createContext: () => context };
  const answer = await call(keyed, name, actor, input).catch((error: unknown) => toFailure(error));
  return { answer, isReplayed: context.reply.isReplayed };
}

describe.each(posts)("$name with an Idempotency-Key", ({ name, fixture }) => {
  const setUp = async () => {
    const actor = await test.actor("enterprise");
    const input = fixture.input(idsOf(await seed(core, actor.account, fixture.uses)));
    return { actor, input };
  };

  it("answers the same again, and does nothing", async () => {
    const { actor, input } = await setUp();
    const first = await callWith("one", name, actor, input);
    expect(first.answer).not.toHaveProperty("code");
    const before = await dump(core);
    const second = await callWith("one", name, actor, input);
    expect(second.answer).toEqual(first.answer);
    expect(second.isReplayed).toBe(true);
    expect(await dump(core)).toBe(before);
  });

  it("does nothing if its answer cannot be stored", async () => {
    const { actor, input } = await setUp();
    const { pool } = depsOf(core);
    await pool.query("alter table idempotent_answers add constraint never check (false) not valid");
    try {
      const before = await dump(core);
      expect((await callWith("two", name, actor, input)).answer).toMatchObject({ status: 500 });
      const reason = `${name} has an effect outside runIdempotently, or a transaction without claim and saveResponse`;
      expect(await dump(core), reason).toBe(before);
    } finally {
      await pool.query("alter table idempotent_answers drop constraint never");
    }
    expect((await callWith("two", name, actor, input)).answer).not.toHaveProperty("code");
  });
});

it("answers that have secrets are not readable in the database, nor is the key", async () => {
  const actor = await test.actor("enterprise");
  const { answer } = await callWith("very-secret", "keys.create", actor, {});
  const { key } = answer as { key: string };
  const stored = await dump(core);
  expect(stored).not.toContain(key);
  expect(stored).not.toContain(key.slice(-20));
  expect(stored).not.toContain("very-secret");
  expect((await callWith("very-secret", "keys.create", actor, {})).answer).toMatchObject({ key });
});

const secrets = posts.filter(({ meta }) => meta.hasSecret);

it("operations that show something only once give it to one credential only", () => {
  const shownOnce = posts.filter(({ meta }) => meta.openapi?.successDescription.includes("only once"));
  expect(secrets.map(({ name }) => name)).toEqual(shownOnce.map(({ name }) => name));
  expect(secrets.length).toBeGreaterThan(3);
});

it.each(secrets)(
  "$name gives its secret to no other credential, and does nothing",
  async ({ name, fixture }) => {
    const { account } = await test.actor("enterprise");
    const common = { kind: "account", account } as const;
    const keyOf = async (): Promise<Actor> => {
      const { key } = await core.keys.issue(account.id, "key");
      return (await core.credentials.byKey(key)) as Actor;
    };
    const sessionOf = async (): Promise<Actor> => {
      const { token } = await core.sessions.create(account.id, { way: "google" });
      return (await core.credentials.bySession(token)) as Actor;
    };
    const maker = await keyOf();
    const input = fixture.input(idsOf(await seed(core, account, fixture.uses)));
    const first = await callWith("shared", name, maker, input);
    expect(first.answer).not.toHaveProperty("code");
    for (const other of [await keyOf(), await sessionOf(), { ...common, credential: "internal" } as const]) {
      const before = await dump(core);
      expect((await callWith("shared", name, other, input)).answer).toMatchObject({
        status: 422,
        message: "Idempotency-Key: was used for another request or with another credential; send a new one",
      });
      expect(await dump(core)).toBe(before);
    }
    expect(await callWith("shared", name, maker, input)).toEqual({ answer: first.answer, isReplayed: true });
  },
);

it("a key of a caller without an account is left unused", async () => {
  const anonymous = { kind: "anonymous" } as const;
  const [one, other] = [
    await callWith("same", "links.create", anonymous, { url }),
    await callWith("same", "links.create", anonymous, { url }),
  ];
  expect(one.answer).not.toEqual(other.answer);
});

it("an answer that this version cannot give is refused, and the request is not repeated", async () => {
  const actor = await test.actor("pro");
  const { links } = core.caller(actor);
  await callWith("old", "links.create", actor, { url });
  const request = requestOf("old", { accountId: actor.account.id, credential: null }, "POST /v1/links", {
    url,
  });
  await storeAnswer(depsOf(core), depsOf(core).pool, request, { output: { id: "of another version" } });
  expect((await callWith("old", "links.create", actor, { url })).answer).toMatchObject({
    status: 409,
    message: expect.stringContaining("by another version of this service"),
  });
  expect((await links.list({})).meta.total).toBe(1);
});

it("a request that waits for its turn behind the one with its key is refused at once", async () => {
  const actor = await test.actor("pro");
  const { pool } = depsOf(core);
  const input = { links: [{ url }], on_error: "stop" };
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("lock table links in share mode");
  const first = callWith("slow", "links.bulkCreate", actor, input);
  await until(async () => {
    const { rows } = await holder.query<{ waits: boolean }>(
      "select exists (select from pg_locks where relation = 'links'::regclass and not granted) as waits",
    );
    return rows[0]?.waits === true;
  });
  expect((await callWith("slow", "links.bulkCreate", actor, input)).answer).toMatchObject({
    status: 409,
    message: expect.stringContaining("still in progress"),
    retryAfter: 1,
  });
  await holder.query("commit");
  holder.release();
  const { answer } = await first;
  expect(answer).toMatchObject({ created: 1 });
  expect(await callWith("slow", "links.bulkCreate", actor, input)).toEqual({ answer, isReplayed: true });
});
