import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { beforeEach, expect, it } from "vitest";
import { listen } from "../src/index.ts";
import { exchange } from "@terse/testkit";

/** Responses that tests release; `arrived` resolves when they are requested. */
function gate() {
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    arrived: arrived.promise,
    release: released.resolve,
    arrive() {
      arrived.resolve();
      return released.promise;
    },
  };
}
let slow = gate();
beforeEach(() => {
  slow = gate();
});

const app = new Hono()
  .get("/", (c) => c.text("ok"))
  .get("/slow", async (c) => {
    await slow.arrive();
    return c.text("slow but whole");
  })
  .get("/never", async (c) => {
    await slow.arrive();
    return c.text("never");
  });

const start = () => listen({ name: "http", app, host: "127.0.0.1", port: 0, portSetting: "HTTP_PORT" });

/** Waits until a listener accepts no more connections; from then on it announces that on the open ones. */
async function refused(port: number): Promise<void> {
  for (let isOpen = true; isOpen; ) {
    const socket = connect(port, "127.0.0.1");
    isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
  }
}

/** A grace period longer than any test: connections have to end by themselves. */
const waitsForEver = 3_600_000;

/** Returns the complete response and the local port of its connection. */
function request(url: string, agent: Agent): Promise<{ response: IncomingMessage; localPort: number }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const { localPort = 0 } = response.socket;
      response.resume().once("end", () => resolve({ response, localPort }));
    }).once("error", reject);
  });
}

it("closing under load resets no request: each gets a response, or its connection is refused", async () => {
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
  while (answered < 40) await sleep(5);
  await close();
  stopped = true;
  await Promise.all(clients);
  agent.destroy();
  expect(failures).toEqual([]);
});

it("connections that wait to be accepted get a response, however slow the process is", async () => {
  const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  const blocking = new Hono().get("/", (c) => c.text(block()));
  const { url, close } = await listen({
    name: "http",
    app: blocking,
    host: "127.0.0.1",
    port: 0,
    portSetting: "HTTP_PORT",
  });
  const agent = new Agent();
  const answers = Array.from({ length: 8 }, () => request(url, agent));
  await Promise.race(answers);
  await close();
  const statuses = (await Promise.all(answers)).map(({ response }) => response.statusCode);
  expect(statuses).toEqual(Array.from({ length: 8 }, () => 200));
});

it("a request in progress completes, with Connection: close", async () => {
  const { port, close } = await start();
  const running = exchange(port, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  await slow.arrived;
  const closed = close();
  await refused(port);
  slow.release();
  await closed;
  const { text, reset, headers } = await running;
  expect(reset).toBeNull();
  expect(headers.get("connection")).toBe("close");
  expect(text).toMatch(/slow but whole$/);
});

it("a request listener's response also has Connection: close, however it writes its headers", async () => {
  const { port, close } = await listen({
    name: "redirect",
    app,
    host: "127.0.0.1",
    port: 0,
    portSetting: "REDIRECT_PORT",
    requestListener: (_request, response) =>
      void slow
        .arrive()
        .then(() => response.writeHead(302, ["Location", "https://a.example/", "Content-Length", "0"]).end()),
  });
  const running = exchange(port, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
  await slow.arrived;
  const closed = close();
  await refused(port);
  slow.release();
  await closed;
  const { status, headers } = await running;
  expect([status, headers.get("connection"), headers.get("location")]).toEqual([
    302,
    "close",
    "https://a.example/",
  ]);
});

it("a request whose client has left ends before the listener is closed, as what it uses is closed next", async () => {
  const { port, close } = await start();
  const client = connect(port, "127.0.0.1");
  client.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  await slow.arrived;
  client.destroy();
  let released = false;
  setTimeout(() => {
    released = true;
    slow.release();
  }, 500);
  await close();
  expect(released).toBe(true);
});

it("a keep-alive connection stays open until closing, then ends soon", async () => {
  const { url, close } = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { response, localPort } = await request(url, agent);
  expect(response.headers.connection).toBe("keep-alive");
  expect((await request(url, agent)).localPort).toBe(localPort);
  await close(waitsForEver);
  agent.destroy();
});

it("a connection that never sent a request does not delay closing", async () => {
  const { port, close } = await start();
  const spare = connect(port, "127.0.0.1");
  await new Promise((resolve) => spare.once("connect", resolve));
  await sleep(50);
  await close(waitsForEver);
  spare.destroy();
});

it("connections are cut after the grace period", async () => {
  const { port, close } = await start();
  const hanging = exchange(port, "GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
  await slow.arrived;
  await close(300);
  expect((await hanging).text).toBe("");
});

it("closing twice is the same as closing once", async () => {
  const { url, close } = await start();
  await Promise.all([close(), close(0), close()]);
  await close();
  await expect(fetch(url)).rejects.toThrow();
});
