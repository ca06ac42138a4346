import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { expect, it } from "vitest";
import { listen } from "../src/index.ts";
import { exchange } from "../src/testing/index.ts";

const app = new Hono()
  .get("/", (c) => c.text("ok"))
  .get("/slow", async (c) => {
    await sleep(600);
    return c.text("slow but whole");
  })
  .get("/never", () => new Promise<Response>(() => {}));

const start = () => listen({ name: "http", app, host: "127.0.0.1", port: 0, portSetting: "HTTP_PORT" });

/** Gives the answer once it is read, and the local port of its connection. */
function request(url: string, agent: Agent): Promise<{ response: IncomingMessage; localPort: number }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const { localPort = 0 } = response.socket;
      response.resume().once("end", () => resolve({ response, localPort }));
    }).once("error", reject);
  });
}

it("closing under load resets no request: each is answered, or its connection was refused", async () => {
  const { url, close } = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 40 });
  const failures: string[] = [];
  let answered = 0;
  let stopped = false;
  const client = async () => {
    while (!stopped) {
      try {
        await request(url, agent);
        answered++;
      } catch (error) {
        const { code = "unknown" } = error as NodeJS.ErrnoException;
        if (code !== "ECONNREFUSED") failures.push(code);
        return;
      }
    }
  };
  const clients = Array.from({ length: 40 }, client);
  await sleep(300);
  const before = answered;
  await close();
  stopped = true;
  await Promise.all(clients);
  agent.destroy();
  expect(failures).toEqual([]);
  expect(before).toBeGreaterThan(0);
});

it("a running request is finished, and told that the connection ends", async () => {
  const { port, close } = await start();
  const running = exchange(port, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  await sleep(100);
  await close();
  const { text, reset, headers } = await running;
  expect(reset).toBeNull();
  expect(headers.get("connection")).toBe("close");
  expect(text).toMatch(/slow but whole$/);
});

it("a plain listener's answer while draining says so too, whatever way it writes its head", async () => {
  const { port, close } = await listen({
    name: "redirect",
    app,
    host: "127.0.0.1",
    port: 0,
    portSetting: "REDIRECT_PORT",
    requestListener: (_request, response) =>
      void setTimeout(
        () => response.writeHead(302, ["Location", "https://a.example/", "Content-Length", "0"]).end(),
        200,
      ),
  });
  const running = exchange(port, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
  await sleep(50);
  await close();
  const { status, headers } = await running;
  expect([status, headers.get("connection"), headers.get("location")]).toEqual([
    302,
    "close",
    "https://a.example/",
  ]);
});

it("a connection kept alive between requests stays so until closing, then ends soon", async () => {
  const { url, close } = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { response, localPort } = await request(url, agent);
  expect(response.headers.connection).toBe("keep-alive");
  expect((await request(url, agent)).localPort).toBe(localPort);
  const started = performance.now();
  await close();
  expect(performance.now() - started).toBeLessThan(3_000);
  agent.destroy();
});

it("a connection that never sent a request does not hold closing up", async () => {
  const { port, close } = await start();
  const spare = connect(port, "127.0.0.1");
  await new Promise((resolve) => spare.once("connect", resolve));
  await sleep(50);
  const started = performance.now();
  await close();
  expect(performance.now() - started).toBeLessThan(3_000);
  spare.destroy();
});

it("what does not end in the time of grace is cut", async () => {
  const { port, close } = await start();
  const hanging = exchange(port, "GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
  await sleep(100);
  const started = performance.now();
  await close(300);
  expect(performance.now() - started).toBeLessThan(3_000);
  expect((await hanging).text).toBe("");
});

it("closing twice is closing once", async () => {
  const { url, close } = await start();
  await Promise.all([close(), close(0), close()]);
  await close();
  await expect(fetch(url)).rejects.toThrow();
});
