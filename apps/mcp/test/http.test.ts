import { request } from "node:http";
import { until } from "@terse/testkit";
import { describe, expect, it } from "vitest";
import { bearer, callOf, startApp } from "./app.ts";

const app = await startApp();
const key = await app.someKey();
const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

/** Sends any Host and Origin, which fetch sets itself. */
function send(headers: Record<string, string>, method = "POST", path = "/mcp", body = JSON.stringify(list)) {
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const all = {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...bearer(key),
        ...headers,
      };
      request({ host: app.url.hostname, port: app.url.port, path, method, headers: all }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => (text += part));
        answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
      })
        .on("error", reject)
        .end(method === "POST" ? body : undefined);
    },
  );
}

const refusal = (message: unknown, code = -32000) => ({
  jsonrpc: "2.0",
  error: {
    code,
    message,
    data: { issues: [{ path: expect.any(Array), code: expect.any(String), message: expect.any(String) }] },
  },
  id: null,
});

describe("the guard against other sites' pages", () => {
  it.each(["mcp.test", "mcp.test:443", "localhost:3002", "127.0.0.1", "[::1]:3002"])(
    "accepts requests for %s",
    async (host) => {
      expect((await send({ Host: host })).status).toBe(200);
    },
  );

  it.each(["evil.example", "mcp.test.evil.example", "localhost.evil.example:3002", "127.0.0.1.nip.example"])(
    "refuses requests for %s",
    async (host) => {
      const { status, text } = await send({ Host: host });
      expect(status).toBe(403);
      expect(JSON.parse(text)).toEqual(
        refusal(expect.stringMatching(/^Host: must be mcp\.test, the host in MCP_URL$/)),
      );
    },
  );

  it.each(["http://mcp.test", "http://api.test", "http://localhost:6274"])(
    "accepts the origin %s",
    async (origin) => {
      expect((await send({ Origin: origin })).status).toBe(200);
    },
  );

  it.each(["https://evil.example", "null", "http://api.test.evil.example", "file://"])(
    "refuses the origin %s",
    async (origin) => {
      const { status, text } = await send({ Origin: origin });
      expect(status).toBe(403);
      expect(JSON.parse(text)).toEqual(refusal(expect.stringMatching(/^Origin: /)));
    },
  );
});

describe("the endpoint", () => {
  it.each(["GET", "DELETE", "PUT", "PATCH", "OPTIONS"])("refuses %s", async (method) => {
    const { status, headers, text } = await send({}, method);
    expect([status, headers["allow"]]).toEqual([405, "POST"]);
    expect(JSON.parse(text)).toEqual(refusal("Only POST is supported here"));
    expect((await send({ Authorization: "Bearer x" }, method)).status).toBe(401);
  });

  it("sends a request id, and forbids caching", async () => {
    for (const headers of [{}, { Authorization: "none" }, { Host: "evil.example" }]) {
      const answer = await send({ "X-Request-Id": "mine", ...headers });
      expect(answer.headers["x-request-id"]).toBe("mine");
      expect(answer.headers["cache-control"]).toMatch(/no-store|no-cache/);
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  it("names its path in a 404", async () => {
    const { status, text } = await send({}, "POST", "/");
    expect(status).toBe(404);
    expect(JSON.parse(text)).toEqual(refusal("No such path: the MCP endpoints are /mcp and /mcp/full"));
  });

  it("is healthy without a credential", async () => {
    const response = await fetch(new URL("/health", app.url));
    expect(await response.json()).toEqual({ status: "ok", service: "terse" });
  });
});

describe("a body", () => {
  const newest = "2026-07-28";
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const response = await app.post(body, { ...bearer(key), ...headers });
    return { status: response.status, text: await response.text() };
  };

  it.each([
    ["no JSON", "{", 400],
    ["nothing", "", 400],
    ["no message", "{}", 400],
    ["a number", "7", 400],
    ["an empty batch", "[]", 400],
    ["a message of another protocol version", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400],
  ])("of %s is a protocol error", async (_what, body, status) => {
    const answer = await post(body);
    expect(answer.status, answer.text).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
    expect(answer.text).not.toMatch(/node_modules|\.m?[jt]s\b|at .*:\d+/);
  });

  it("is read up to 64 KiB, and refused with one byte more", async () => {
    const filled = (bytes: number) => {
      const empty = JSON.stringify(callOf("get_link", { id: "" }));
      return JSON.stringify(callOf("get_link", { id: "x".repeat(bytes - empty.length) }));
    };
    expect((await post(filled(65_536))).status).toBe(200);
    expect((await post(filled(65_537))).status).toBe(413);
  });

  it("without a length has the same limit", async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(" ".repeat(4096))),
    });
    const response = await fetch(app.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...bearer(key),
      },
      body: endless,
      duplex: "half",
    });
    expect(response.status).toBe(413);
    expect(response.headers.get("connection")).toBe("close");
  });

  it("of another type is refused", async () => {
    expect((await post(JSON.stringify(list), { "Content-Type": "text/plain" })).status).toBe(415);
  });

  it.each<[string, object]>([
    ["of one message", [list]],
    ["of a hundred messages", Array.from({ length: 100 }, () => list)],
    ["that begins a connection", [{ ...list, method: "initialize" }, list]],
    [
      "of the newest revision",
      [{ ...list, params: { _meta: { "io.modelcontextprotocol/protocolVersion": newest } } }],
    ],
  ])("that is a batch %s is refused, without any call", async (_, batch) => {
    for (const headers of [
      {},
      { "MCP-Protocol-Version": "2025-03-26" },
      { "MCP-Protocol-Version": newest },
    ]) {
      const { status, text } = await post(JSON.stringify(batch), headers);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toEqual(
        refusal("Batches are not supported: send one JSON-RPC message per request", -32600),
      );
    }
  });

  it("that names a resource on an endless host is refused", async () => {
    const uri = `http://${String.fromCodePoint(...Array.from({ length: 5000 }, (_, at) => 0x4e00 + at))}/`;
    const read = { ...list, method: "resources/read", params: { uri } };
    const { status, text } = await post(JSON.stringify(read));
    expect([status, text]).toEqual([400, expect.stringContaining("host longer than")]);
  });

  it("for an unknown tool is a protocol error", async () => {
    const { status, text } = await post(JSON.stringify(callOf("drop_tables", {})));
    expect(status).toBe(200);
    expect(text).toContain("-32602");
    expect(text).toContain("Tool drop_tables not found");
  });

  it("with an unknown method is a protocol error", async () => {
    expect((await post(JSON.stringify({ ...list, method: "tools/drop" }))).text).toContain("-32601");
  });

  it("with arguments that are not an object is a protocol error", async () => {
    const { text } = await post(
      JSON.stringify({ ...callOf("get_link", {}), params: { name: "get_link", arguments: "x" } }),
    );
    expect(text).toMatch(/-326\d\d/);
  });
});

describe("the log", () => {
  it("has one line for a request and one for a tool call, with the same id and no argument, answer or key", async () => {
    const id = "of-the-log"; // lines of the tests before may come late
    const args = { url: "https://example.com/secret-url", password: "secret-word", title: "secret-title" };
    const headers = { ...bearer(key), "X-Request-Id": id };
    await (await app.post(callOf("create_link", args), headers)).text();
    await (await app.post(callOf("create_link", { ...args, slug: "." }), headers)).text();
    const lines = () => app.log.filter((line) => line.includes(id));
    await until(() => lines().length >= 4);
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([
      { request_id: id, tool: "create_link", status: 200, msg: "tool call" },
      { request_id: id, method: "POST", path: "/mcp", status: 200, msg: "request" },
      { request_id: id, tool: "create_link", status: 400, msg: "tool call" },
      { request_id: id, method: "POST", path: "/mcp", status: 200, msg: "request" },
    ]);
    expect(lines().join("\n")).not.toMatch(/secret|terse_/);
  });
});

describe("shutdown", () => {
  it("lets running calls finish", async () => {
    const stopped = await startApp();
    const headers = bearer(await stopped.someKey());
    const calls = Array.from({ length: 20 }, () =>
      stopped.post(callOf("create_link", { url: "https://example.com/" }), headers),
    );
    await Promise.race(calls);
    await stopped.listener.close();
    const texts = await Promise.all(calls.map(async (call) => (await call).text()));
    expect(texts.filter((text) => text.includes('"structuredContent"'))).toHaveLength(20);
    await expect(stopped.post(callOf("list_links", {}), headers)).rejects.toThrow();
  });
});

describe("concurrent clients", () => {
  it("get their own answers", async () => {
    const clients = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => app.connect(await app.someKey(), at % 2 ? "old" : "new")),
    );
    const made = await Promise.all(
      clients.flatMap((client, account) =>
        Array.from({ length: 10 }, async (_, at) => {
          const title = `account ${account}, link ${at}`;
          const args = { url: "https://example.com/", title };
          const { structuredContent } = await client.callTool({ name: "create_link", arguments: args });
          return structuredContent?.["title"] === title;
        }),
      ),
    );
    expect(made).toEqual(Array.from({ length: 100 }, () => true));
    const totals = await Promise.all(
      clients.map(async (client) => {
        const { structuredContent } = await client.callTool({ name: "list_links", arguments: {} });
        return structuredContent?.["total"];
      }),
    );
    expect(totals).toEqual(clients.map(() => 10));
  });
});

describe("a cancelled call", () => {
  it.each(["new", "old"] as const)("affects no other, with the %s client", async (line) => {
    const client = await app.connect(await app.someKey(), line);
    const before = app.log.length;
    const cancelled = await Promise.allSettled(
      Array.from({ length: 20 }, async () => {
        const abort = new AbortController();
        const call = client.callTool({ name: "list_links", arguments: {} }, undefined, {
          signal: abort.signal,
        });
        setImmediate(() => abort.abort());
        return call;
      }),
    );
    expect(cancelled.some(({ status }) => status === "rejected")).toBe(true);
    const { isError = false } = await client.callTool({ name: "list_links", arguments: {} });
    expect(isError).toBe(false);
    expect(app.log.slice(before).filter((entry) => entry.includes('"level":"error"'))).toEqual([]);
  });
});
