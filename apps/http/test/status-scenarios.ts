import { challengeOf, prove, type TestDns } from "@terse/testkit/dns";
import type { Answer, Ask, TestApp } from "./client.ts";
import type { DocumentedOperation } from "./document.ts";
import { domainFor, type Ids, noIds, restRequest, sampleOf } from "./samples.ts";

/** An app without limits, one on which an account may create a single link, and the resolver that both ask. */
export interface Apps {
  app: TestApp;
  limited: TestApp;
  /** One whose database is away */
  away: TestApp;
  /** One whose core was closed under it: a fault of ours */
  broken: TestApp;
  dns: TestDns;
}

type Recipe = (apps: Apps, operation: DocumentedOperation) => Promise<Answer[]>;
type Order = Ask & { ids?: Ids; input?: Record<string, unknown> };

/** An Enterprise account with both credentials, and of each thing one to spend */
export async function resident({ account, core }: TestApp, operation = "") {
  const owner = await account("enterprise");
  const { key } = await core.keys.issue(owner.id);
  const { token: cookie } = await core.sessions.create(owner.id);
  const caller = core.caller({ kind: "account", account: owner, credential: "internal" });
  const link = await caller.links.create({ url: "https://example.com/" });
  const bucket = await caller.buckets.create({
    name: "A page",
    links: [{ title: "A link", url: "https://example.com/" }],
  });
  const spare = await core.keys.issue(owner.id, "spare");
  const session = await core.sessions.create(owner.id);
  const domain = await domainFor(operation, core, owner);
  const ids: Ids = { link: link.id, bucket: bucket.id, key: spare.id, session: session.id, domain };
  return { key, cookie, link, bucket, ids };
}

/** Sends an operation's sample, with `input` and the rest of the order on top. */
export function send(app: TestApp, operation: DocumentedOperation, order: Order = {}): Promise<Answer> {
  const { ids = noIds, input, ...ask } = order;
  const { operationId } = operation;
  if (operationId === "health") return app.ask("GET", "/health", ask);
  const place = operation as Parameters<typeof restRequest>[0];
  const [method, path, body] = restRequest(place, { ...sampleOf(operationId, ids), ...input });
  return app.ask(method, path, { ...body, ...ask });
}

const succeed: Recipe = async ({ app }, operation) => {
  const [one, other] = await Promise.all([
    resident(app, operation.operationId),
    resident(app, operation.operationId),
  ]);
  return [
    await send(app, operation, { key: one.key, ids: one.ids }),
    await send(app, operation, { cookie: other.cookie, ids: other.ids }),
  ];
};

const sendWith =
  (order: Order): Recipe =>
  async ({ app }, operation) => {
    const { key, ids } = await resident(app, operation.operationId);
    return [await send(app, operation, { key, ids, ...order })];
  };

/** Statuses that come about in the same way at every operation */
const common: Record<number, Recipe> = {
  200: succeed,
  201: succeed,
  304: sendWith({ headers: { "If-None-Match": "*" } }),
  async 401({ app }, operation) {
    const bad = [
      await send(app, operation, { key: "terse_nobody" }),
      await send(app, operation, { cookie: "x" }),
    ];
    return operation.security.some((scheme) => Object.keys(scheme).length === 0)
      ? bad
      : [...bad, await send(app, operation)];
  },
  async 403({ app }, operation) {
    const refused: Answer[] = [];
    if (operation.method !== "GET") {
      const { cookie, ids } = await resident(app, operation.operationId);
      refused.push(await send(app, operation, { cookie, ids, headers: { Origin: "https://evil.example" } }));
    }
    for (const [plan, smaller] of [
      ["Enterprise", "pro"],
      ["Pro", "free"],
    ] as const) {
      if (!JSON.stringify(operation).includes(`Needs the ${plan} plan.`)) continue;
      const { key } = await app.key(smaller);
      refused.push(await send(app, operation, { key }));
    }
    return refused;
  },
  async 404({ app }, operation) {
    const { key } = await resident(app);
    return [await send(app, operation, { key, ids: noIds })];
  },
  413: sendWith({ body: `{"title":"${"x".repeat(65_536)}"}` }),
  async 500({ broken }, operation) {
    return [
      await send(broken, operation, { key: "terse_any" }),
      await send(broken, operation, { cookie: "x" }),
    ];
  },
  async 503({ away }, operation) {
    return [await send(away, operation, { key: "terse_any" }), await send(away, operation, { cookie: "x" })];
  },
  415: sendWith({ headers: { "Content-Type": "text/plain" } }),
};

/** Statuses that an operation's own rules bring about */
const special: Record<string, Recipe> = {
  "links.create 400": sendWith({ input: { url: "javascript:alert(1)" } }),
  "links.create 409": async ({ app }, operation) => {
    const { key, link } = await resident(app);
    return [await send(app, operation, { key, input: { slug: link.slug } })];
  },
  "links.create 429": async ({ limited }, operation) => {
    const { key } = await limited.key("free");
    await send(limited, operation, { key });
    return [await send(limited, operation, { key })];
  },
  "links.list 400": sendWith({ input: { limit: 0 } }),
  "links.explain 400": sendWith({ input: { country: "XX" } }),
  "links.qr 400": sendWith({ input: { level: "X" } }),
  "links.update 400": sendWith({ input: { url: "https://user:secret@example.com/" } }),
  "links.update 409": async ({ app }, operation) => {
    const { key, ids } = await resident(app);
    const { link } = await resident(app);
    return [await send(app, operation, { key, ids, input: { slug: link.slug } })];
  },
  "buckets.create 400": sendWith({ input: { links: [] } }),
  "buckets.create 409": async ({ app }, operation) => {
    const { key, link, bucket } = await resident(app);
    return [
      await send(app, operation, { key, input: { slug: link.slug } }),
      await send(app, operation, { key, input: { slug: bucket.slug } }),
    ];
  },
  "buckets.create 429": async ({ limited }, operation) => {
    const { key } = await limited.key("pro");
    await send(limited, operation, { key });
    return [await send(limited, operation, { key })];
  },
  "buckets.list 400": sendWith({ input: { limit: 101 } }),
  "buckets.update 400": sendWith({ input: { name: " " } }),
  "buckets.update 409": async ({ app }, operation) => {
    const { key, ids, link } = await resident(app);
    return [await send(app, operation, { key, ids, input: { slug: link.slug } })];
  },
  "domains.create 400": sendWith({ input: { domain: "https://go.example.com/" } }),
  "domains.create 429": async ({ limited }, operation) => {
    const { key } = await limited.key("pro");
    await send(limited, operation, { key });
    return [await send(limited, operation, { key })];
  },
  "domains.create 409": async ({ app, dns }, operation) => {
    const domain = "taken.example.com";
    await verify(app, dns, domain);
    const { key } = await resident(app);
    return [await send(app, operation, { key, input: { domain } })];
  },
  "domains.verify 409": async ({ app, dns }, operation) => {
    const domain = "contested.example.com";
    const { key, id, challenge } = await addDomain(app, domain);
    const first = await verify(app, dns, domain);
    prove(dns, domain, first.challenge, challenge);
    return [await send(app, operation, { key, ids: { ...noIds, domain: id } })];
  },
  "analytics.overview 400": sendWith({ input: { period: "2w" } }),
  "analytics.link 400": sendWith({ input: { tz: "+05:30" } }),
  "analytics.export 400": sendWith({ input: { format: "xml" } }),
  "users.updateConsents 400": sendWith({ input: { marketing: "yes" } }),
  "keys.create 400": sendWith({ input: { name: "" } }),
  "keys.create 429": async ({ limited }, operation) => {
    const { key } = await limited.key("enterprise");
    await send(limited, operation, { key });
    return [await send(limited, operation, { key })];
  },
};

export async function addDomain(app: TestApp, domain: string) {
  const { key, account } = await app.key("pro");
  const { domains } = app.core.caller({ kind: "account", account, credential: "internal" });
  const made = await domains.create({ domain });
  return { key, domains, id: made.id, challenge: challengeOf(made) };
}

async function verify(app: TestApp, dns: TestDns, domain: string) {
  const made = await addDomain(app, domain);
  prove(dns, domain, made.challenge);
  await made.domains.verify({ id: made.id });
  return made;
}

/** Real answers of a documented status; throws where nobody has written down how to get them. */
export async function cook(apps: Apps, operation: DocumentedOperation, status: number): Promise<Answer[]> {
  const name = `${operation.operationId} ${status}`;
  const recipe = special[name] ?? common[status];
  const answers = recipe ? await recipe(apps, operation) : [];
  if (answers.length === 0) throw new Error(`Write down in test/recipes.ts how "${name}" comes about`);
  return answers;
}

/** Answers to every kind of request that some operation documents a status for, sent to this one. */
export async function provoke(apps: Apps, operation: DocumentedOperation): Promise<Answer[]> {
  const needsBody = new Set(["413", "415"]);
  const kinds = Object.entries(common).filter(
    ([status]) => operation.method !== "GET" || !needsBody.has(status),
  );
  return (await Promise.all(kinds.map(([, recipe]) => recipe(apps, operation)))).flat();
}
