import { planNames } from "@terse/core";
import { describe, expect, it } from "vitest";
import { type Answer, type Ask, startApp } from "./client.ts";
import { expectRefusal } from "./expect-refusal.ts";

const rateLimits = { anonymous: 2, free: 3, pro: 4, enterprise: 5 };
const create = { url: "https://example.com/" };
const post = (app: { ask: Awaited<ReturnType<typeof startApp>>["ask"] }, ask: Ask = {}) =>
  app.ask("POST", "/v1/links", { json: create, ...ask });
const statusOf = ({ status }: Answer) => status;

/** The parts of the RateLimit header fields */
function stateOf({ headers }: Answer) {
  const [, limit, window] =
    /^"link-creation";q=(\d+);w=(\d+)$/.exec(headers.get("ratelimit-policy") ?? "") ?? [];
  const [, left, reset] = /^"link-creation";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "") ?? [];
  return { limit: Number(limit), window: Number(window), left: Number(left), reset: Number(reset) };
}

describe("creating links", () => {
  it("announces what is left, then refuses with Retry-After", async () => {
    const app = await startApp({ rateLimits });
    const { key } = await app.key("free");
    for (const left of [2, 1, 0]) {
      const answer = await post(app, { key });
      expect(answer.status).toBe(201);
      expect(stateOf(answer)).toMatchObject({ limit: 3, window: 60, left });
      expect(answer.headers.get("retry-after")).toBeNull();
    }
    const refused = await post(app, { key });
    expectRefusal(refused, 429);
    const { left, reset } = stateOf(refused);
    expect(left).toBe(0);
    expect(refused.headers.get("retry-after")).toBe(String(reset));
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);
  });

  it("is limited for an account by its plan, over any credential and protocol", async () => {
    const app = await startApp({ rateLimits });
    for (const plan of planNames) {
      const { key, account } = await app.key(plan);
      const other = await app.core.keys.issue(account.id);
      const { token } = await app.core.sessions.create(account.id);
      const ways = [
        () => post(app, { key }),
        () => app.askTrpc("links.create", create, { key: other.key }),
        () => app.askTrpc("links.create", create, { cookie: token }),
        () => post(app, { cookie: token, address: "192.0.2.7" }),
      ];
      for (let count = 0; count < rateLimits[plan]; count++) {
        const answer = await (ways[count % ways.length] as () => Promise<Answer>)();
        expect(answer.status, answer.text).toBeLessThan(300);
        expect(stateOf(answer)).toMatchObject({
          limit: rateLimits[plan],
          left: rateLimits[plan] - count - 1,
        });
      }
      for (const way of ways) expect(statusOf(await way())).toBe(429);
    }
  });

  it("is counted call by call within a batch, whose answer has Retry-After", async () => {
    const app = await startApp({ rateLimits });
    const { key } = await app.key("free");
    const calls = Array.from({ length: 5 }, () => "links.create").join(",");
    const inputs = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [at, create]));
    const answer = await app.ask("POST", `/trpc/${calls}?batch=1`, { key, json: inputs });
    const results = answer.json as ({ result: unknown } | { error: { data: { httpStatus: number } } })[];
    expect(results.filter((result) => "result" in result)).toHaveLength(3);
    for (const result of results) if ("error" in result) expect(result.error.data.httpStatus).toBe(429);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });

  it("with a password, or setting one, is limited per account whatever the plan; other changes are not", async () => {
    const app = await startApp({ passwordsPerMinute: 3 });
    const { key } = await app.key("enterprise");
    const put = async (json: object) => app.ask("PUT", `/v1/links/${id}`, { key, json });
    const { id } = ((await post(app, { key })).json as { data: { id: string } }).data;
    const password = { password: "swordfish" };
    const statuses = [
      statusOf(await post(app, { key, json: { ...create, ...password } })),
      statusOf(await put(password)),
      statusOf(await put(password)),
    ];
    expect(statuses).toEqual([201, 200, 200]);
    for (const refused of [await put(password), await post(app, { key, json: { ...create, ...password } })]) {
      expectRefusal(refused, 429);
      expect(refused.text).toMatch(/"password: the limit is 3 a minute; try again in \d+ s"/);
      expect(refused.headers.get("ratelimit-policy")).toBe('"passwords";q=3;w=60');
      expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
    }
    expect(statusOf(await put({ title: "Changed", password: null }))).toBe(200);
    expect(
      statusOf(await post(app, { key: (await app.key("pro")).key, json: { ...create, ...password } })),
    ).toBe(201);
  });

  it("is not counted if it is refused for another reason; nothing else is limited", async () => {
    const app = await startApp({ rateLimits: { free: 1 } });
    const { key } = await app.key("free");
    for (let count = 0; count < 5; count++) {
      expect(statusOf(await post(app, { key, json: { url: "x" } }))).toBe(400);
      expect(statusOf(await post(app, { key, json: { ...create, password: "secret" } }))).toBe(403);
      const list = await app.ask("GET", "/v1/links", { key });
      expect([list.status, list.headers.get("ratelimit")]).toEqual([200, null]);
    }
    expect(statusOf(await post(app, { key }))).toBe(201);
  });

  it("is refused for a bad credential before it is counted", async () => {
    const app = await startApp({ rateLimits: { anonymous: 1 } });
    for (let count = 0; count < 3; count++)
      expect(statusOf(await post(app, { key: "terse_unknown", address: "192.0.2.1" }))).toBe(401);
    expect(statusOf(await post(app, { address: "192.0.2.1" }))).toBe(201);
    expect(statusOf(await post(app, { address: "192.0.2.1" }))).toBe(429);
  });
});

describe("callers without an account", () => {
  const from = (address: string, forwardedFor?: string): Ask => ({
    address,
    ...(forwardedFor !== undefined && { headers: { "X-Forwarded-For": forwardedFor } }),
  });

  it("are counted by address, over REST and tRPC together", async () => {
    const app = await startApp({ rateLimits });
    expect(stateOf(await post(app, from("192.0.2.1")))).toMatchObject({ limit: 2, left: 1 });
    expect(statusOf(await app.askTrpc("links.create", create, from("192.0.2.1")))).toBe(200);
    expect(statusOf(await app.askTrpc("links.create", create, from("192.0.2.1")))).toBe(429);
    expect(statusOf(await post(app, from("::ffff:192.0.2.1")))).toBe(429);
    expect(statusOf(await post(app, from("192.0.2.2")))).toBe(201);
  });

  it("cannot evade the limit with a forged address", async () => {
    const app = await startApp({ rateLimits });
    const statuses: number[] = [];
    for (const forged of ["198.51.100.1", "198.51.100.2", "10.0.0.1", "::1"])
      statuses.push(statusOf(await post(app, from("192.0.2.1", forged))));
    expect(statuses).toEqual([201, 201, 429, 429]);
    const headers = {
      Forwarded: "for=198.51.100.3",
      "X-Real-IP": "198.51.100.4",
      "CF-Connecting-IP": "198.51.100.5",
    };
    expect(statusOf(await post(app, { address: "192.0.2.1", headers }))).toBe(429);
  });
});
