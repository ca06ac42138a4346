import { connect, createServer, type AddressInfo } from "node:net";
import { Hono } from "hono";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { listen, ListenError, type Listener, type ListenOptions } from "../src/index.ts";
import { rejectMalformed } from "../src/reject-request.ts";
import { exchange, until } from "@terse/testkit";

const open: Listener[] = [];
afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close(0))));

async function start(app: ListenOptions["app"], more: Partial<ListenOptions> = {}): Promise<Listener> {
  const listener = await listen({
    name: "http",
    app,
    host: "127.0.0.1",
    port: 0,
    portSetting: "HTTP_PORT",
    ...more,
  });
  open.push(listener);
  return listener;
}

const hello = () =>
  new Hono()
    .onError((_, c) => c.text("failed", 500))
    .get("/", (c) => c.text("hello"))
    .post("/", async (c) => c.text(`got ${(await c.req.text()).length}`));

describe("a listener", () => {
  it("serves the app at its address", async () => {
    const { url, port } = await start(hello());
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(await (await fetch(url)).text()).toBe("hello");
    expect(await (await fetch(url, { method: "POST", body: "four" })).text()).toBe("got 4");
  });

  it("calls the request listener first, and the app only if that calls next", async () => {
    const { url } = await start(hello(), {
      requestListener: (request, response, next) => (request.url === "/fast" ? response.end("fast") : next()),
    });
    expect(await (await fetch(`${url}/fast`)).text()).toBe("fast");
    expect(await (await fetch(url)).text()).toBe("hello");
  });

  it("answers 500 without internal details if code outside the app's error handling throws", async () => {
    const errors: unknown[] = [];
    const logger = { error: (fields: { err: unknown }) => errors.push(fields.err) } as unknown as NonNullable<
      ListenOptions["logger"]
    >;
    const { url } = await start(
      { fetch: () => Promise.reject(new Error("secret of the app")) },
      {
        logger,
        requestListener: (request, _response, next) => {
          if (request.url === "/fast") throw new Error("secret of the listener");
          next();
        },
      },
    );
    for (const path of ["/fast", "/app"]) {
      const answer = await fetch(url + path);
      expect(answer.status).toBe(500);
      expect(answer.headers.get("x-request-id")).toBeTruthy();
      expect(await answer.json()).toEqual({ data: null, error: "Internal server error", meta: null });
    }
    expect(errors.map(String)).toEqual(["Error: secret of the listener", "Error: secret of the app"]);
  });

  it("cuts off a response whose stream fails, without the reason", async () => {
    vi.spyOn(console, "info").mockImplementation(() => {}); // logged by the adapter
    const app = new Hono().get("/", (c) => {
      const rows = ["one\n"];
      return c.body(
        new ReadableStream({
          pull(controller) {
            const row = rows.shift();
            if (row) controller.enqueue(new TextEncoder().encode(row));
            else controller.error(Object.assign(new Error("secret"), { code: "ERR_STREAM_PREMATURE_CLOSE" }));
          },
        }),
      );
    });
    const { port } = await start(app);
    const { text } = await exchange(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).not.toContain("secret");
    expect(text.endsWith("0\r\n\r\n")).toBe(false);
  });
});

describe("a client that does not read its answer", () => {
  /** Streams without end, and says when that was cancelled. */
  function endless() {
    let isCut = false;
    const stream = () =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
        cancel() {
          isCut = true;
        },
      });
    return { app: new Hono().get("/", (c) => c.body(stream())), isCut: () => isCut };
  }

  function request(port: number) {
    const socket = connect(port, "127.0.0.1").pause();
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    return socket;
  }

  it("is cut off", async () => {
    const { app, isCut } = endless();
    const { port } = await start(app, { stallMs: 300 });
    request(port);
    await until(isCut);
  });

  it("keeps its connection while it reads, however slowly", async () => {
    const { app, isCut } = endless();
    const { port } = await start(app, { stallMs: 20_000 });
    const socket = request(port);
    await until(() => {
      socket.read();
      return socket.bytesRead > 20_000_000;
    });
    expect(isCut()).toBe(false);
  });
});

describe("a target that a strict parser refuses", () => {
  const app = () => new Hono().get("*", (c) => c.text(`${c.req.method} ${c.req.url}`));

  it("is percent-encoded where it has raw UTF-8", async () => {
    const { port } = await start(app());
    for (const [target, url] of [
      ["/slug?q=grüße-❤", "/slug?q=gr%C3%BC%C3%9Fe-%E2%9D%A4"],
      ["/❤", "/%E2%9D%A4"],
      ["http://a/x?y=ü", "/x?y=%C3%BC"],
    ]) {
      const answer = await exchange(port, Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`));
      expect(answer.status).toBe(200);
      expect(answer.headers.get("connection")).toBe("close");
      expect(answer.body).toBe(`GET http://a${url}`);
    }
  });

  it("is percent-encoded also in a later request of a connection", async () => {
    const { port } = await start(app());
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.on("data", (data) => (text += String(data)));
    socket.write("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
    await until(() => text.includes("http://a/first"));
    socket.write("GET /ü HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n");
    await until(() => text.endsWith("http://a/%C3%BC") && socket.readableEnded);
  });

  it("is not valid if something else is wrong with it", async () => {
    const { port } = await start(app());
    for (const request of [
      "GET /\u0001ü HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /ü\u0001 HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST /ü HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
      "GET /ü HTTP/1.1\r\nHost: a\r\n bad\r\n\r\n",
      "GET /ü HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ])
      expect((await exchange(port, Buffer.from(request))).status).toBe(400);
  });

  it("may have a scheme in any case", async () => {
    const { port } = await start(app());
    for (const scheme of ["http", "HTTP", "Https"]) {
      const { body } = await exchange(
        port,
        `GET ${scheme}://b/path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      expect(body).toMatch(/^GET https?:\/\/b\/path$/);
    }
  });
});

describe("a request that is rejected before the app sees it", () => {
  const cases: [string, string, number, RegExp][] = [
    ["two Host headers", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400, /more than one Host/],
    [
      "two Host headers in HTTP/1.0",
      "GET / HTTP/1.0\r\nHost: a\r\nHOST: b\r\n\r\n",
      400,
      /more than one Host/,
    ],
    [
      "a second Host far down",
      `GET / HTTP/1.1\r\nHost: a\r\n${"A:\r\n".repeat(2_500)}Host: b\r\n\r\n`,
      400,
      /more than/,
    ],
    ["no Host header", "GET / HTTP/1.1\r\nX-Host: a\r\n\r\n", 400, /no Host/],
    ["an unusable Host", "GET / HTTP/1.1\r\nHost: a/b@c\r\n\r\n", 400, /not valid/],
    ["an unusable address", "GET http://a:b:c/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, /not valid/],
    ["no HTTP at all", "\x16\x03\x01\x02\x00\r\n\r\n", 400, /not valid HTTP/],
    ["a line break within a header", "GET / HTTP/1.1\r\nHost: a\r\nX: a\nb\r\n\r\n", 400, /not valid HTTP/],
    [
      "two lengths of a body",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
      /not valid HTTP/,
    ],
    [
      "a bad chunk",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      400,
      /not valid HTTP/,
    ],
    ["a long header", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(17_000)}\r\n\r\n`, 431, /16 KiB/],
    ["a long address", `GET /${"x".repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, /16 KiB/],
    [
      "a megabyte of headers",
      `GET / HTTP/1.1\r\nHost: a\r\n${"X: y\r\n".repeat(200_000)}\r\n`,
      431,
      /16 KiB/,
    ],
    ["another expectation", "GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417, /100-continue/],
  ];

  it.each(cases)(
    "with %s gets the error envelope, and its connection is closed",
    async (_, request, status, reason) => {
      const { port } = await start(hello());
      const answer = await exchange(port, request);
      expect(answer.reset).toBeNull();
      expect(answer.status).toBe(status);
      expect(answer.headers.get("connection")).toBe("close");
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("content-length")).toBe(String(answer.body.length));
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(JSON.parse(answer.body).error).not.toMatch(/\.$/); // like all messages in this envelope
      expect(JSON.parse(answer.body)).toEqual({
        data: null,
        error: expect.stringMatching(reason),
        meta: null,
      });
    },
  );

  it("does not stop the server, even if the handler of a bad body answers too late", async () => {
    const app = new Hono().post("/", async (c) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return c.text("late");
    });
    const { port, url } = await start(app);
    const { text } = await exchange(
      port,
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    );
    expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(await (await fetch(url, { method: "POST" })).text()).toBe("late");
  });

  it("never writes into a response that has begun", async () => {
    const { port } = await start(
      { fetch: () => new Response() },
      {
        requestListener: (_request, response) =>
          void response.writeHead(200, { "Content-Length": "10" }).write("12345"),
      },
    );
    const { text } = await exchange(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\nGARBAGE\r\n\r\n");
    expect(text.match(/^HTTP\/1\.1 /gm) ?? []).toHaveLength(text === "" ? 0 : 1);
    expect(text).not.toContain("400");
  });

  it("gets 408 if it does not arrive in time", async () => {
    const slow = createServer((socket) => {
      rejectMalformed(
        Object.assign(new Error("timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
        socket,
        false,
      );
    });
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const { status } = await exchange((slow.address() as AddressInfo).port, "GET / HT");
    slow.close();
    expect(status).toBe(408);
  });

  it("may omit Host in HTTP/1.0, as health checks do", async () => {
    const { port } = await start(hello());
    expect((await exchange(port, "GET / HTTP/1.0\r\n\r\n")).text).toContain("hello");
  });
});

describe("an address that is not available", () => {
  const fail = (host: string, port: number) =>
    listen({ name: "http", app: hello(), host, port, portSetting: "HTTP_PORT" }).catch(
      (error: unknown) => error,
    );

  it("gives one line that names the setting if the port is taken", async () => {
    const { port } = await start(hello());
    const error = await fail("127.0.0.1", port);
    expect(error).toBeInstanceOf(ListenError);
    expect((error as ListenError).code).toBe("EADDRINUSE");
    expect((error as ListenError).message).toBe(
      `http: port ${port} on 127.0.0.1 is already in use: set HTTP_PORT to a free port, or stop the other process`,
    );
  });

  it("names HOST if the machine does not have it", async () => {
    expect(String(await fail("192.0.2.1", 0))).toMatch(
      /^ListenError: http: 192\.0\.2\.1 is not an address .* set HOST /,
    );
  });
});

it("has a localhost URL if it listens on all addresses", async () => {
  const { url, port } = await start(hello(), { host: "0.0.0.0" });
  expect(url).toBe(`http://localhost:${port}`);
  const socket = connect(port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.destroy();
});
