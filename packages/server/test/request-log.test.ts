import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { until } from "@terse/testkit";
import { expect, it } from "vitest";
import {
  createClientInfo,
  createLogger,
  listen,
  type LogLevel,
  requestLog,
  type ServerEnv,
} from "../src/index.ts";

type AppEnv = { Bindings: ServerEnv["Bindings"]; Variables: ServerEnv["Variables"] & { account: string } };

function setup(level: LogLevel = "info") {
  const lines: Record<string, unknown>[] = [];
  const late = Promise.withResolvers<void>();
  const logger = createLogger({
    level,
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  const app = new Hono<AppEnv>()
    .onError((_, c) => c.text("failed", 500))
    .use(requestLog(logger, createClientInfo(["10.0.0.0/8"])))
    .get("/links/:id", (c) => c.json({ id: c.var.requestId, ...c.var.client }))
    .get("/raw", () => new Response("raw"))
    .get("/fetched", () => fetch("data:text/plain,immutable"))
    .get("/refused", (c) => c.text("no", 403))
    .get("/thrown", () => {
      throw new Error("the database's secret");
    })
    .get("/odd", () => {
      throw "a string"; // like careless code
    })
    .get("/mapped", (c) => {
      c.error = new Error("told by the app");
      return c.json({}, 503);
    })
    .get("/late", async (c) => {
      late.resolve();
      if (c.env.outgoing) await once(c.env.outgoing, "close");
      return c.text("late");
    })
    .get("/stream", (c) => c.body(new ReadableStream({ pull: () => new Promise(() => {}) })));
  return { app, lines, late: late.promise };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

it.each(["/links/", "/nothing/", "/terse_", "/links/x."])("hides a secret in the path %s", async (before) => {
  const { app, lines } = setup();
  const secret = randomBytes(32).toString("base64url");
  await app.request(`${before}${secret}/?token=hunter2`);
  expect(lines).toMatchObject([{ path: expect.stringMatching(/\/(x\.)?\*{3}\/$/) }]);
  expect(JSON.stringify(lines)).not.toContain(secret);
});

it("logs one line for each response, without the query string", async () => {
  const { app, lines } = setup();
  await app.request("/links/7?token=hunter2", {
    headers: { Authorization: "Bearer hunter2", "X-Request-Id": "abc" },
  });
  expect(lines).toEqual([
    {
      level: "info",
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      msg: "request",
      request_id: "abc",
      method: "GET",
      path: "/links/7",
      route: "/links/:id",
      status: 200,
      duration_ms: expect.any(Number),
      address: "0.0.0.0",
    },
  ]);
});

it.each(["/links/7", "/raw", "/fetched", "/refused", "/thrown", "/odd", "/mapped", "/unknown"])(
  "adds the request id to the response of %s",
  async (path) => {
    const { app, lines } = setup();
    const answer = await app.request(path, { headers: { "X-Request-Id": "a.B_c-1" } });
    expect(answer.headers.get("x-request-id")).toBe("a.B_c-1");
    expect(lines.map((line) => line.request_id)).toEqual(["a.B_c-1"]);
  },
);

it.each(["", "a b", "a,b", "x".repeat(129), "é", "a/b", "${jndi:ldap://a}", "<script>"])(
  "generates an id instead of repeating %j",
  async (id) => {
    const { app } = setup();
    const answer = await app.request("/raw", { headers: { "X-Request-Id": id } });
    expect(answer.headers.get("x-request-id")).toMatch(uuid);
  },
);

it("provides the client's address and country from a trusted proxy", async () => {
  const { app } = setup();
  const incoming = { socket: { remoteAddress: "10.0.0.1" } } as NonNullable<
    ServerEnv["Bindings"]["incoming"]
  >;
  const headers = { "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "CF-IPCountry": "FR" };
  const answer = await app.request("/links/7", { headers }, { incoming });
  expect(await answer.json()).toMatchObject({ address: "203.0.113.9", protocol: "https", country: "FR" });
});

it("logs a thrown error with its stack, and does not send it", async () => {
  const { app, lines } = setup();
  const answer = await app.request("/thrown");
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain("secret");
  expect(lines).toMatchObject([
    {
      level: "error",
      status: 500,
      err: { type: "Error", message: "the database's secret", stack: expect.any(String) },
    },
  ]);
});

it("logs a thrown value even if it is not an Error", async () => {
  const { app, lines } = setup();
  expect((await app.request("/odd")).status).toBe(500);
  expect(lines).toMatchObject([{ level: "error", status: 500, err: { cause: "a string" } }]);
});

it("logs the error that an app assigned for its own 5xx response", async () => {
  const { app, lines } = setup();
  await app.request("/mapped");
  expect(lines).toMatchObject([{ level: "error", status: 503, err: { message: "told by the app" } }]);
});

it("omits the route of an unknown path, and truncates a long path", async () => {
  const { app, lines } = setup();
  await app.request(`/${"x.".repeat(5000)}`);
  expect(lines[0]).not.toHaveProperty("route");
  expect(String(lines[0]?.path)).toHaveLength(512);
  expect(lines[0]?.status).toBe(404);
});

it("logs over a socket after the response was sent, or aborted by the client", async () => {
  const { app, lines, late } = setup();
  const { url, close } = await listen({
    name: "http",
    app,
    host: "127.0.0.1",
    port: 0,
    portSetting: "HTTP_PORT",
  });
  const answer = await fetch(`${url}/links/7`);
  expect(await answer.json()).toMatchObject({ address: "127.0.0.1", country: null });
  expect(answer.headers.get("x-request-id")).toMatch(uuid);

  const leaving = new AbortController();
  await fetch(`${url}/stream`, { signal: leaving.signal });
  leaving.abort();
  while (lines.length < 2) await sleep(10);
  const waiting = new AbortController();
  const answered = fetch(`${url}/late`, { signal: waiting.signal }).catch(() => null);
  await late;
  waiting.abort();
  expect(await answered).toBeNull();
  while (lines.length < 3) await sleep(10);
  await close(0);
  expect(lines).toMatchObject([
    { path: "/links/7", address: "127.0.0.1" },
    { path: "/stream", aborted: true },
    { path: "/late", aborted: true },
  ]);
  expect(lines[0]).not.toHaveProperty("aborted");
});

it("logs five refusals of a network in a second, and the number of the others in one line", async () => {
  const { app, lines } = setup();
  const from = (address: string) => ({ incoming: { socket: { remoteAddress: address } } }) as never;
  for (let n = 0; n < 30; n++) await app.request(`/unknown-${n}`, {}, from(`198.51.100.${n}`));
  await app.request("/refused", {}, from("203.0.113.9"));
  for (let n = 0; n < 60; n++) await app.request("/links/7", {}, from("198.51.100.1"));
  await until(() => lines.some(({ code }) => code === "requests_not_logged"));
  const count = (status: number) => lines.filter((line) => line["status"] === status).length;
  expect([count(404), count(403), count(200)]).toEqual([5, 1, 50]);
  expect(lines.at(-1)).toMatchObject({
    code: "requests_not_logged",
    level: "warn",
    requests: 35,
    statuses: { 404: 25, 200: 10 },
    address: "198.51.100.0/24",
  });
  await app.request("/unknown", {}, from("198.51.100.1"));
  expect(lines.at(-1)).toMatchObject({ path: "/unknown", status: 404 });
});

it("counts no requests whose lines are below the level of the log", async () => {
  const { app, lines } = setup("warn");
  for (let n = 0; n < 60; n++) await app.request("/unknown");
  await sleep(1100);
  expect(lines).toEqual([]);
});
