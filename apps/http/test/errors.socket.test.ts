import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { startApp } from "./client.ts";
import { type Exchange, exchange } from "@terse/testkit";

const app = await startApp();
const { key } = await app.key();
const server = await app.listen();
afterAll(() => server.close(0));

const json = '{"url":"https://example.com/"}';

/** Sends one request over a connection of its own; `lines` are its header lines. */
function send(requestLine: string, lines: string[] = ["Host: api.test"], body: string | Buffer = "") {
  const head = [`${requestLine} HTTP/1.1`, "Connection: close", ...lines, "", ""].join("\r\n");
  return exchange(server.port, Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]));
}

function expectRefusal({ status, headers, body }: Exchange, expected: number): void {
  expect(status, body).toBe(expected);
  expect(JSON.parse(body)).toStrictEqual({ data: null, error: expect.any(String), meta: null });
  expect(headers.get("x-request-id")).toMatch(/^[\w.-]{1,128}$/);
  expect(body).not.toMatch(/\.ts|node_modules|at .+:\d+/);
}

const jsonType = "Content-Type: application/json";

describe("over a real connection", () => {
  it("a request line with another host's address changes no answer", async () => {
    const { status, body } = await send("GET http://evil.example/health");
    expect([status, JSON.parse(body)]).toEqual([200, { status: "ok", service: "terse" }]);
  });

  it.each([
    ["OPTIONS *", 400],
    ["TRACE /v1/me", 405],
    ["TRACE /health", 405],
    ["TRACK /v1/me", 400],
    ["PROPFIND /v1/me", 405],
    ["M-SEARCH /v1/links", 405],
    ["BREW /v1/me", 400],
    ["GET //evil.example/v1/me", 404],
    ["GET /v1/links/%00", 401],
    ["GET /v1/%", 404],
    ["GET /v1/\u00e9\u00ff", 404],
    ["GET \\v1\\me", 400],
    ["GET v1/me", 400],
    [`GET /${"x".repeat(15_000)}`, 404],
    [`GET /v1/me?${"x".repeat(15_000)}`, 401],
    [`GET /${"x".repeat(17_000)}`, 431],
  ])("%s is refused: %i", async (requestLine, status) => {
    expectRefusal(await send(requestLine), status);
  });

  it("a repeated Authorization header is refused, whatever its values", async () => {
    const good = `Authorization: Bearer ${key}`;
    expect((await send("GET /v1/me", ["Host: api.test", good])).status).toBe(200);
    for (const twice of [
      [good, "Authorization: Bearer x"],
      ["Authorization: Bearer x", good],
      [good, good],
    ])
      expectRefusal(await send("GET /v1/me", ["Host: api.test", ...twice]), 401);
  });

  it("a megabyte is refused, with its length and in chunks, over REST and tRPC", async () => {
    const body = Buffer.alloc(1_000_000, 0x20);
    const chunk = `4000\r\n${" ".repeat(0x4000)}\r\n`;
    const chunks = `${chunk.repeat(64)}0\r\n\r\n`;
    for (const path of ["/v1/links", "/trpc/links.create"]) {
      const whole = await send(
        `POST ${path}`,
        ["Host: api.test", jsonType, `Content-Length: ${body.length}`],
        body,
      );
      const chunked = await send(
        `POST ${path}`,
        ["Host: api.test", jsonType, "Transfer-Encoding: chunked"],
        chunks,
      );
      for (const { status, body: text } of [whole, chunked]) {
        expect(status, text).toBe(413);
        expect(text).toContain("The body must have at most 65536 bytes");
      }
    }
  });

  it("a body that is too large ends the connection, and the answer says so", async () => {
    for (const path of ["/v1/links", "/trpc/links.create"]) {
      for (const framing of ["Content-Length: 100000", "Transfer-Encoding: chunked"]) {
        const head = [`POST ${path} HTTP/1.1`, "Host: api.test", jsonType, framing, "", ""].join("\r\n");
        const body = framing.startsWith("T")
          ? `186a0\r\n${" ".repeat(100_000)}\r\n0\r\n\r\n`
          : " ".repeat(100_000);
        const answer = await exchange(
          server.port,
          `${head}${body}GET /health HTTP/1.1\r\nHost: api.test\r\n\r\n`,
        );
        expect([answer.status, answer.headers.get("connection")]).toEqual([413, "close"]);
        expect(answer.text.match(/HTTP\/1.1 /g)).toHaveLength(1);
      }
    }
  });

  it("an unread body does no harm", async () => {
    const body = Buffer.alloc(1_000_000, 0x20);
    for (const [line, status] of [
      ["GET /health", 200],
      ["DELETE /v1/links/x", 401],
      ["POST /nothing", 404],
    ] as const) {
      const answer = await send(line, ["Host: api.test", `Content-Length: ${body.length}`], body);
      expect(answer.status, line).toBe(status);
    }
    expect((await send("GET /health")).status).toBe(200);
  });

  it("a chunked body is accepted", async () => {
    const chunked = `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;
    for (const path of ["/v1/links", "/trpc/links.create"]) {
      const { status, body } = await send(
        `POST ${path}`,
        ["Host: api.test", jsonType, "Transfer-Encoding: chunked"],
        chunked,
      );
      expect([200, 201], body).toContain(status);
    }
  });

  it.each(["/v1/links", "/trpc/links.create"])(
    "a client that disconnects within its body is logged as 400: %s",
    async (path) => {
      const id = path.replaceAll("/", "-");
      const lines = ["Host: api.test", jsonType, `X-Request-Id: ${id}`, "Content-Length: 500"];
      // Of many refusals within a second, only the first ones have a line.
      await sleep(1100);
      await exchange(server.port, `POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n{"url`, 100);
      await expect.poll(() => app.log.find((line) => line.includes(id))).toBeDefined();
      const line = app.log.find((text) => text.includes(id)) ?? "";
      expect(JSON.parse(line)).toMatchObject({ level: "info", status: 400, aborted: true });
    },
  );
});
