import { connect, createServer, type Socket } from "node:net";
import { createCore } from "@terse/core";
import { until } from "@terse/testkit";
import { afterAll, expect, it } from "vitest";
import { appOn, baseUrl, poolOf, startApp } from "./client.ts";

const app = await startApp();
const listener = await app.listen();
afterAll(() => listener.close());

/**
 * A TCP proxy that cuts connections: every second one before the request arrives, when it has arrived, or within the answer, in
 * turns.
 */
async function cuttingProxy(port: number) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const way = connections++ % 6;
    const server = connect(port, "127.0.0.1");
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        server.destroy();
      });
    }
    if (way === 0) return client.destroy();
    client.pipe(server);
    // The request has arrived and is carried out; its answer is lost, or only the first bytes of it arrive.
    if (way === 2) return server.once("data", () => client.destroy());
    if (way === 4)
      return server.once("data", (data: Buffer) =>
        client.write(data.subarray(0, 20), () => client.destroy()),
      );
    return server.pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address() as { port: number };
  return {
    port: address.port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

it("a client that repeats its requests until it has an answer causes each effect once, however often answers are lost", async () => {
  const { key, account } = await app.key("enterprise");
  const proxy = await cuttingProxy(Number(new URL(listener.url).port));
  let sent = 0;
  /** As clients do it: the same key until there is an answer. */
  async function post(path: string, body: object, name: string): Promise<unknown> {
    for (;;) {
      sent += 1;
      try {
        const answer = await fetch(`http://127.0.0.1:${proxy.port}${path}`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${key}`,
            "Content-Type": "application/json",
            "Idempotency-Key": name,
            Connection: "close",
          },
          body: JSON.stringify(body),
        });
        const { data } = (await answer.json()) as { data: unknown };
        if (answer.status !== 409) return data;
      } catch {
        // Sent again.
      }
    }
  }
  const count = 15;
  const url = "https://example.com/";
  const made = await Promise.all(
    Array.from({ length: count }, async (_, at) => [
      await post("/v1/links", { url }, `link-${at}`),
      await post("/v1/keys", { name: `key ${at}` }, `key-${at}`),
      await post("/v1/buckets", { name: "Page", links: [{ title: "A", url }] }, `bucket-${at}`),
      await post("/v1/links/bulk/create", { links: [{ url }, { url }], on_error: "stop" }, `bulk-${at}`),
    ]),
  );
  await proxy.close();
  expect(sent).toBeGreaterThan(4 * count);
  const caller = app.core.caller({ kind: "account", account, credential: "internal" });
  expect((await caller.links.list({})).meta.total).toBe(3 * count);
  expect((await caller.buckets.list({})).meta.total).toBe(count);
  const keys = await app.core.keys.list(account.id);
  expect(keys).toHaveLength(count + 1);
  // The answers are those of what exists.
  const existing = new Set(keys.map(({ id }) => id));
  for (const [, answer] of made) expect(existing).toContain((answer as { id: string }).id);
});

it("of twelve requests with one key that arrive at two nodes at once, one is carried out and the others are refused until it has ended", async () => {
  const { key, account } = await app.key("enterprise");
  const core = await createCore({ databaseUrl: app.databaseUrl, shortBase: "http://short.test" });
  const other = appOn(core);
  const post = (node: typeof other) =>
    node.request(`${baseUrl}/v1/links`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": "slow",
      },
      body: JSON.stringify({ url: "https://example.com/slow" }),
    });
  // No link can be inserted until this transaction ends.
  const database = await poolOf(app).connect();
  await database.query("begin");
  await database.query("lock table links in share mode");
  const answers: Response[] = [];
  const requests = Array.from({ length: 12 }, async (_, at) => {
    const answer = await post(at % 2 === 0 ? app.app : other);
    answers.push(answer);
    return answer;
  });
  await until(() => answers.length === 11);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 11 }, () => 409));
  expect(answers.map(({ headers }) => headers.get("retry-after"))).toEqual(
    Array.from({ length: 11 }, () => "1"),
  );
  await database.query("commit");
  database.release();
  await Promise.all(requests);
  const created = answers.at(-1);
  expect(created?.status).toBe(201);
  const link = await created?.json();
  for (const node of [app.app, other]) {
    const repeated = await post(node);
    expect(repeated.status).toBe(201);
    expect(repeated.headers.get("idempotency-replayed")).toBe("true");
    expect(await repeated.json()).toEqual(link);
  }
  const caller = app.core.caller({ kind: "account", account, credential: "internal" });
  expect((await caller.links.list({})).meta.total).toBe(1);
  await core.close();
});
