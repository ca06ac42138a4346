import { createHash } from "node:crypto";
import { type Plan, scopes } from "@terse/core";
import { fixtureOf, refusedInput, type Thing, unknownIds } from "@terse/core/fixtures";
import type { TestDns } from "@terse/testkit/dns";
import { type Answer, type Ask, definitionsOf, poolOf, type TestApp } from "./client.ts";
import type { DocumentedOperation } from "./document.ts";
import { restRequest } from "./rest-request.ts";
import { seedAccount } from "./seeded-account.ts";

export interface Apps {
  app: TestApp;
  /** Allows one creation and one password a minute */
  limited: TestApp;
  /** Its database cannot be reached */
  away: TestApp;
  /** Its core is closed, which is an internal error */
  broken: TestApp;
  /** The resolver that `app` asks */
  dns: TestDns;
}

/** What an Idempotency-Key of an account is stored as */
const storedNameOf = ({ id }: { id: string }, key: string) =>
  createHash("sha256").update(`${id} ${key}`).digest("base64url");

type Scenario = (apps: Apps, operation: DocumentedOperation) => Promise<Answer[]>;
type Request = Ask & { ids?: typeof unknownIds; input?: Record<string, unknown> };

const usedBy = ({ operationId }: DocumentedOperation) =>
  operationId === "health" ? [] : fixtureOf(operationId).uses;

/** Sends the fixture's valid input, with `input` and the rest of the request on top. */
export function send(app: TestApp, operation: DocumentedOperation, request: Request = {}): Promise<Answer> {
  const { ids = unknownIds, input, ...ask } = request;
  const { operationId } = operation;
  if (operationId === "health") return app.ask("GET", "/health", ask);
  const place = definitionsOf(app.core.router)[operationId]?.meta.openapi;
  if (!place) throw new Error(`${operationId} is not in the REST API`);
  const [method, path, body] = restRequest(place, { ...fixtureOf(operationId).input(ids), ...input });
  return app.ask(method, path, { ...body, ...ask });
}

const takesIdempotencyKey = ({ parameters = [] }: DocumentedOperation) =>
  parameters.some(({ name }) => name === "Idempotency-Key");

const takesKey = ({ security }: DocumentedOperation) => security.some((scheme) => "key" in scheme);

/** The credential of an account that the operation accepts */
export const credentialFor = (
  operation: DocumentedOperation,
  { key, cookie }: { key: string; cookie: string },
) => (takesKey(operation) ? { key } : { cookie });

const succeed: Scenario = async ({ app }, operation) => {
  const byKey = await accountFor(app, operation);
  const byCookie = await accountFor(app, operation);
  return [
    await send(app, operation, { ...credentialFor(operation, byKey), ids: byKey.ids }),
    await send(app, operation, { cookie: byCookie.cookie, ids: byCookie.ids }),
  ];
};

const untouched = new WeakMap<TestApp, Map<string, ReturnType<typeof seedAccount>>>();

/** An account with these things, for requests that change nothing of it: reads, and those that are refused. */
function untouchedAccount(app: TestApp, things: readonly Thing[], plan: Plan = "enterprise") {
  const accounts = untouched.get(app) ?? new Map<string, ReturnType<typeof seedAccount>>();
  untouched.set(app, accounts);
  const name = [plan, ...things].join();
  const account = accounts.get(name) ?? seedAccount(app, things, plan);
  accounts.set(name, account);
  return account;
}

/** An account for an operation; a new one, unless it only reads, or documents `status`, with which it refuses the request. */
export function accountFor(
  app: TestApp,
  operation: DocumentedOperation,
  { status = 0, things = usedBy(operation) }: { status?: number; things?: readonly Thing[] } = {},
) {
  const isUntouched = operation.method === "GET" || String(status) in operation.responses;
  return (isUntouched ? untouchedAccount : seedAccount)(app, things);
}

/** Sends a request that is answered with `status` and changes nothing, if the operation documents that status. */
const sendWith =
  (status: number, request: Request): Scenario =>
  async ({ app }, operation) => {
    const { ids, ...account } = await accountFor(app, operation, { status });
    return [await send(app, operation, { ...credentialFor(operation, account), ids, ...request })];
  };

const sendBadCredentials = async (app: TestApp, operation: DocumentedOperation) => [
  await send(app, operation, { key: "terse_unknown" }),
  await send(app, operation, { cookie: "unknown" }),
];

const closed = new WeakMap<TestApp, ReturnType<typeof closeAccounts>>();

/** An account that is being deleted and a suspended one, which no operation changes */
function closedAccounts(app: TestApp): ReturnType<typeof closeAccounts> {
  const accounts = closed.get(app) ?? closeAccounts(app);
  closed.set(app, accounts);
  return accounts;
}

async function closeAccounts(app: TestApp) {
  const leaving = await seedAccount(app, []);
  await app.core.caller(leaving.actor).account.delete();
  const suspended = await seedAccount(app, []);
  await app.core.accounts.suspend(suspended.account.id, "a test");
  return { leaving, suspended };
}

/** Sends a key that has all scopes but those of the operation. */
async function sendWithoutScope(app: TestApp, operation: DocumentedOperation): Promise<Answer> {
  const { scope } = definitionsOf(app.core.router)[operation.operationId]?.meta ?? {};
  const { id } = await app.account("enterprise");
  const granted = scopes.filter((other) => ![scope].flat().includes(other));
  const { key } = await app.core.keys.issue(id, "Limited", { scopes: granted });
  return send(app, operation, { key });
}

/** Statuses that follow from an operation's definition, and come about the same way for all */
const derived: Record<number, Scenario> = {
  200: succeed,
  201: succeed,
  304: sendWith(304, { headers: { "If-None-Match": "*" } }),
  412: sendWith(412, { headers: { "If-Match": '"older"' } }),
  async 401({ app }, operation) {
    const refused = await sendBadCredentials(app, operation);
    const isPublic = operation.security.some((scheme) => Object.keys(scheme).length === 0);
    return isPublic ? refused : [...refused, await send(app, operation)];
  },
  async 403({ app }, operation) {
    const { leaving, suspended } = await closedAccounts(app);
    const { key: oldKey, cookie: oldCookie } = suspended;
    const refused = [
      await send(app, operation, { key: leaving.key }),
      await send(app, operation, { key: oldKey }),
      await send(app, operation, { cookie: oldCookie }),
    ];
    if (!takesKey(operation)) {
      const { key, ids } = await untouchedAccount(app, usedBy(operation));
      refused.push(await send(app, operation, { key, ids }));
    }
    if (operation.method !== "GET") {
      const { cookie, ids } = await untouchedAccount(app, usedBy(operation));
      refused.push(await send(app, operation, { cookie, ids, headers: { Origin: "https://evil.example" } }));
    }
    for (const [plan, smaller] of [
      ["Enterprise", "pro"],
      ["Pro", "free"],
    ] as const) {
      if (!JSON.stringify(operation).includes(`Needs the ${plan} plan.`)) continue;
      const { key } = await untouchedAccount(app, [], smaller);
      refused.push(await send(app, operation, { key }));
    }
    return [...refused, await sendWithoutScope(app, operation)];
  },
  async 404({ app }, operation) {
    const account = await accountFor(app, operation, { status: 404, things: [] });
    return [await send(app, operation, { ...credentialFor(operation, account), ids: unknownIds })];
  },
  async 202({ app }, operation) {
    if (!("200" in operation.responses)) return succeed({ app } as Apps, operation);
    const { key, ids, account } = await seedAccount(app, usedBy(operation));
    const input = await fixtureOf(operation.operationId).tooMany?.(app.core, account);
    if (input) return [await send(app, operation, { key, input })];
    // More links than are changed at once.
    await poolOf(app).query(
      `insert into links (id, account_id, slug, destination, created_at, updated_at)
       select gen_random_uuid(), $1, gen_random_uuid(), 'https://example.com/', now(), now() from generate_series(0, 1000)`,
      [account.id],
    );
    return [await send(app, operation, { key, ids, input: { ids: undefined, filter: {} } })];
  },
  async 409({ app }, operation) {
    if (!takesIdempotencyKey(operation)) return [];
    const { key, cookie, ids, account } = await seedAccount(app, usedBy(operation));
    const headers = { "Idempotency-Key": "under-way" };
    // Holds the lock that the request with this key would take.
    const database = await poolOf(app).connect();
    const lock = [storedNameOf(account, "under-way")];
    await database.query("select pg_advisory_lock(hashtextextended($1, 0))", lock);
    const answer = await send(app, operation, {
      ...credentialFor(operation, { key, cookie }),
      ids,
      headers,
    });
    await database.query("select pg_advisory_unlock(hashtextextended($1, 0))", lock);
    database.release();
    return [answer];
  },
  async 413({ app }, operation) {
    const { file, maxBodyBytes = file?.maxBytes ?? 65_536 } =
      definitionsOf(app.core.router)[operation.operationId]?.meta.openapi ?? {};
    return sendWith(413, { body: `{"title":"${"x".repeat(maxBodyBytes)}"}` })({ app } as Apps, operation);
  },
  415: sendWith(415, { headers: { "Content-Type": "application/xml" } }),
  async 422({ app }, operation) {
    if (!takesIdempotencyKey(operation)) return [];
    const { key, cookie, ids, account } = await seedAccount(app, usedBy(operation));
    await poolOf(app).query(
      `insert into idempotent_answers (account_id, key, request_hash, sealed, created_at)
       values ($1, $2, 'another', '', now())`,
      [account.id, storedNameOf(account, "once")],
    );
    const credential = credentialFor(operation, { key, cookie });
    return [await send(app, operation, { ...credential, ids, headers: { "Idempotency-Key": "once" } })];
  },
  async 429({ limited }, operation) {
    const { key, ids } = await seedAccount(limited, usedBy(operation));
    const input = operation.operationId === "health" ? {} : fixtureOf(operation.operationId).limitedFields;
    const refused: Answer[] = [];
    // More than the largest limit of the documented operations
    for (let call = 0; call < 125 && refused.length === 0; call++) {
      const answer = await send(limited, operation, { key, ids, input });
      if (answer.status === 429) refused.push(answer);
    }
    return refused;
  },
  500: ({ broken }, operation) => sendBadCredentials(broken, operation),
  503: ({ away }, operation) => sendBadCredentials(away, operation),
};

/** Real answers with a documented status: those that follow from the definition, and those of the fixture */
export async function provoke(
  apps: Apps,
  operation: DocumentedOperation,
  status: number,
): Promise<{ answer: Answer; error?: string | RegExp }[]> {
  const answers = (await derived[status]?.(apps, operation)) ?? [];
  const own = operation.operationId === "health" ? [] : await provokeFixture(apps, operation, status);
  return [...answers.map((answer) => ({ answer })), ...own];
}

async function provokeFixture({ app, dns }: Apps, operation: DocumentedOperation, status: number) {
  const fixture = fixtureOf(operation.operationId);
  const { refusals, uses, file } = fixture;
  if (!derived[status] && !refusals[status])
    throw new Error(`${file} does not say how the status ${status} comes about`);
  const { core } = app;
  const another = async () =>
    core.caller({ kind: "account", account: await app.account("enterprise"), credential: "internal" });
  const refused: { answer: Answer; error: string | RegExp }[] = [];
  for (const refusal of refusals[status] ?? []) {
    const { own, ...account } = await seedAccount(app, uses);
    const input = await refusedInput(fixture, refusal, { core, dns, own, another });
    const answer = await send(app, operation, { ...credentialFor(operation, account), input });
    refused.push({ answer, error: refusal.error });
  }
  return refused;
}

/**
 * Answers to what makes other operations give a status that this one does not document. Success has been provoked under
 * the status that it has, and `callOften` shows that there is no limit.
 */
export async function provokeUndocumented(apps: Apps, operation: DocumentedOperation): Promise<Answer[]> {
  const provoked = new Set(["200", "201", "202", "429", ...Object.keys(operation.responses)]);
  const needsBody = new Set(["413", "415"]);
  const scenarios = Object.entries(derived).filter(
    ([status]) => !provoked.has(status) && !(operation.method === "GET" && needsBody.has(status)),
  );
  const answers: Answer[] = [];
  for (const [, scenario] of scenarios) answers.push(...(await scenario(apps, operation)));
  return answers;
}

/** Calls an operation that documents no limit, within a minute. */
export async function callOften({ limited }: Apps, operation: DocumentedOperation, calls: number) {
  const { key, ids } = await seedAccount(limited, usedBy(operation));
  const input = operation.operationId === "health" ? {} : fixtureOf(operation.operationId).limitedFields;
  const answers: Answer[] = [];
  for (let call = 0; call < calls; call++) answers.push(await send(limited, operation, { key, ids, input }));
  return answers;
}
