import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import type { FileReply } from "@terse/core";
import { createClientInfo, createLogger, listen, requestLog, type ServerEnv } from "@terse/server";
import { Hono } from "hono";
import { afterAll, describe, expect, it } from "vitest";
import { failure } from "../src/envelope.ts";
import { fileResponse } from "../src/file.ts";

const piece = "0123456789abcdef".repeat(4096);
/** Pieces produced, and sources closed, whether complete or not */
const made = { pieces: 0, ended: 0 };

async function* pieces(count: number, failAt = Infinity): AsyncGenerator<string> {
  try {
    for (let at = 0; at < count; at++) {
      if (at === failAt) throw new Error("the secret password of the database");
      made.pieces++;
      yield piece;
    }
  } finally {
    made.ended++;
  }
}

const svg: FileReply = {
  content_type: "image/svg+xml",
  file_name: "käse 🧀.svg",
  disposition: "inline",
  body: "<svg>ä</svg>",
};
const stream = (body: AsyncIterable<string>): FileReply => ({
  content_type: "text/csv; charset=utf-8",
  file_name: 'a"b.csv',
  disposition: "attachment",
  body,
});
const files: Record<string, () => FileReply> = {
  "/text": () => svg,
  "/stream": () => stream(pieces(3)),
  "/empty": () => stream(pieces(0)),
  "/endless": () => stream(pieces(Infinity)),
  "/broken": () => stream(pieces(20, 10)),
  "/broken-at-once": () => stream(pieces(20, 0)),
};

const log: string[] = [];
const logger = createLogger({ level: "info", destination: { write: (line) => log.push(line) } });
const app = new Hono<ServerEnv>();
app.use(requestLog(logger, createClientInfo([])));
for (const [path, file] of Object.entries(files)) app.get(path, (c) => fileResponse(c, file()));
app.onError((error, c) => failure(c, error));
const listener = await listen({ name: "http", app, host: "127.0.0.1", port: 0, portSetting: "HTTP_PORT" });
afterAll(() => listener.close(0));
const ask = (path: string, init?: RequestInit) => fetch(listener.url + path, init);

/** Opens an answer without reading its body. */
async function open(path: string): Promise<IncomingMessage> {
  const sent = request(listener.url + path).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}

describe("a complete file", () => {
  it("is sent unchanged, with an encoded file name and an ETag", async () => {
    const answer = await ask("/text");
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(svg.body);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "content-length": "13",
      "content-disposition": `inline; filename="k?se ??.svg"; filename*=UTF-8''k%C3%A4se%20%F0%9F%A7%80.svg`,
      "cache-control": "private, no-cache",
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
    });
  });

  it("is 304 for a client that has it", async () => {
    const etag = (await ask("/text")).headers.get("etag") ?? "";
    for (const named of [etag, `W/${etag}`, `"other", ${etag}`, `"a,b",W/${etag}`, "*"]) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await ask("/text", { method, headers: { "If-None-Match": named } });
        expect([named, answer.status, await answer.text()]).toEqual([named, 304, ""]);
        expect(answer.headers.get("etag")).toBe(etag);
        expect(answer.headers.get("cache-control")).toBe("private, no-cache");
        expect(answer.headers.get("content-type")).toBeNull();
      }
    }
  });

  it("is sent to a client that has another version", async () => {
    const etag = (await ask("/text")).headers.get("etag") ?? "";
    for (const named of ['"other"', etag.slice(1, -1), "", `"x${etag.slice(1)}`, '"*"']) {
      expect((await ask("/text", { headers: { "If-None-Match": named } })).status).toBe(200);
    }
  });

  it("answers HEAD with the same headers", async () => {
    const [get, head] = [await ask("/text"), await ask("/text", { method: "HEAD" })];
    const own = new Set(["x-request-id", "date", "connection", "keep-alive"]);
    const plain = ({ headers }: Response) => [...headers].filter(([name]) => !own.has(name));
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(plain(head)).toEqual(plain(get));
  });
});

describe("a streamed file", () => {
  it("arrives complete, is not cached, and its source is closed", async () => {
    const { ended } = made;
    const answer = await ask("/stream");
    expect(await answer.text()).toBe(piece.repeat(3));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="a\\"b.csv"',
      "cache-control": "no-store",
    });
    expect(answer.headers.get("etag")).toBeNull();
    expect(made.ended).toBe(ended + 1);
  });

  it("may be empty", async () => {
    const answer = await ask("/empty");
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });

  it("is not read for HEAD", async () => {
    const { pieces: before } = made;
    const answer = await ask("/endless", { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(made.pieces).toBe(before);
  });

  it("waits for a slow client, and closes its source when the client disconnects", async () => {
    const { pieces: before, ended } = made;
    const answer = await open("/endless");
    // Once the buffers up to the client are full, no more is read: two polls in a row find the same count.
    let seen = -1;
    await expect.poll(() => seen === (seen = made.pieces), { interval: 500, timeout: 15_000 }).toBe(true);
    expect(made.pieces - before).toBeGreaterThan(0);
    expect(made.ended).toBe(ended);
    answer.destroy();
    await expect.poll(() => made.ended).toBe(ended + 1);
  });

  it("is cut off on failure, and only the log says why", async () => {
    const { ended } = made;
    const answer = await open("/broken");
    expect(answer.statusCode).toBe(200);
    let text = "";
    const end = await new Promise((resolve) => {
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve("ended")).on("error", () => resolve("cut"));
    });
    expect(end).toBe("cut");
    expect(piece.repeat(10).startsWith(text)).toBe(true);
    expect(made.ended).toBe(ended + 1);
    await expect.poll(() => log.join("")).toContain("the secret password of the database");
  });

  it("that fails before its first piece is an ordinary 500", async () => {
    const answer = await ask("/broken-at-once");
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { data: null, error: "Internal server error", meta: null },
    ]);
  });
});
