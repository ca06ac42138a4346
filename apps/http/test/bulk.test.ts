import { describe, expect, it } from "vitest";
import { errorOf, startApp } from "./client.ts";

const app = await startApp();
const limited = await startApp({ rateLimits: { pro: 3 } });

const url = "https://example.com/";
const create = "/v1/links/bulk/create";
const linksOf = (count: number, length = 0) =>
  Array.from({ length: count }, () => ({ url: url + "x".repeat(length) }));
const body = (count: number, length = 0) => ({ links: linksOf(count, length), on_error: "continue" });
const dataOf = ({ json }: { json: unknown }) => (json as { data: Record<string, number> }).data;

describe("a bulk creation over REST", () => {
  it("answers 201, also with a body that other operations refuse", async () => {
    const { key } = await app.key("pro");
    const answer = await app.ask("POST", create, { key, json: body(1000, 1500) });
    expect(answer.status, answer.text).toBe(201);
    expect(dataOf(answer)).toMatchObject({ created: 1000, failed: 0 });
    const tooLarge = await app.ask("POST", create, { key, json: body(1000, 2200) });
    expect([tooLarge.status, errorOf(tooLarge)]).toEqual([413, "The body must have at most 2097152 bytes"]);
  });

  it("says when the rest may be sent", async () => {
    const { key } = await limited.key("pro");
    const some = await limited.ask("POST", create, { key, json: body(5) });
    expect(dataOf(some)).toMatchObject({ created: 3, failed: 2, retry_after: expect.any(Number) });
    expect(some.headers.get("ratelimit")).toMatch(/^"link-creation";r=0;t=\d+$/);
    const none = await limited.ask("POST", create, { key, json: body(1) });
    expect(none.status).toBe(429);
    expect(none.headers.get("retry-after")).toMatch(/^\d+$/);
  });

  it("is repeated by its Idempotency-Key", async () => {
    const { key } = await app.key("pro");
    const headers = { "Idempotency-Key": "7f3a" };
    const first = await app.ask("POST", create, { key, headers, json: body(2) });
    const second = await app.ask("POST", create, { key, headers, json: body(2) });
    expect(second.text).toBe(first.text);
    expect([first, second].map((answer) => answer.headers.get("idempotency-replayed"))).toEqual([
      null,
      "true",
    ]);
  });
});

/** A body of more than 64 KiB that fails the test if it is read */
function untouched() {
  let isRead = false;
  const stream = new ReadableStream(
    {
      pull(controller) {
        isRead = true;
        controller.enqueue(new Uint8Array(1024));
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, wasRead: () => isRead };
}

describe("a caller without an account", () => {
  it.each(["create", "update", "delete"])("is refused before the body of %s is read", async (name) => {
    const { stream, wasRead } = untouched();
    const headers = { "Content-Length": "2000000" };
    const answer = await app.ask("POST", `/v1/links/bulk/${name}`, { body: stream, headers });
    expect(answer.status).toBe(401);
    expect(wasRead()).toBe(false);
  });

  it("is refused over tRPC, where the larger body is for accounts only", async () => {
    const { stream, wasRead } = untouched();
    const headers = { "Content-Length": "2000000" };
    const answer = await app.ask("POST", "/trpc/links.bulkCreate", { body: stream, headers });
    expect(answer.status).toBe(401);
    expect(wasRead()).toBe(false);
    const { key } = await app.key("pro");
    const large = await app.askTrpc("links.bulkCreate", body(1000, 1500), { key });
    expect(large.status).toBe(200);
    const other = await app.askTrpc("links.create", { url, title: "x".repeat(70_000) }, { key });
    expect(other.status).toBe(413);
    const batch = { body: JSON.stringify({ 0: body(1000, 1500), 1: { url } }), key };
    expect((await app.ask("POST", "/trpc/links.bulkCreate,links.create?batch=1", batch)).status).toBe(413);
  });
});

it("an export over REST is a file", async () => {
  const { key } = await app.key("pro");
  await app.ask("POST", create, { key, json: { links: [{ url, slug: "in-file" }], on_error: "stop" } });
  const csv = await app.ask("GET", "/v1/links/export?search=in-file", { key });
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename=terse-links-[\d-]+\.csv$/);
  expect(csv.text.split("\r\n")[1]).toContain(",in-file,http://short.test/in-file,https://example.com/,");
  expect((await app.ask("GET", "/v1/links/export", {})).status).toBe(401);
});

it("the activity log is a page, or a file if a format is asked for", async () => {
  const { key } = await app.key("pro");
  await app.ask("POST", create, { key, json: { links: [{ url, slug: "in-log" }], on_error: "stop" } });
  const page = await app.ask("GET", "/v1/activity?action=link_created", { key });
  expect(page.json).toMatchObject({ data: [{ target: { name: "in-log" } }], meta: { total: 1 } });
  const csv = await app.ask("GET", "/v1/activity?format=csv&action=link_created", { key });
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename=terse-activity-[\d-]+\.csv$/);
  expect(csv.text.split("\r\n")[1]).toContain(",link_created,link,");
  const json = await app.ask("GET", "/v1/activity?format=json", { key });
  expect(JSON.parse(json.text)).toHaveLength(3);
  expect((await app.ask("GET", "/v1/activity?format=xml", { key })).status).toBe(400);
  expect((await app.ask("GET", "/v1/activity?format=csv&page=2", { key })).status).toBe(400);
  expect((await app.ask("GET", "/v1/activity?format=csv", {})).status).toBe(401);
});

describe("a file of links as the body", () => {
  const send = async (file: string | Buffer, query = "", type = "text/csv") => {
    const { key } = await app.key("pro");
    const bytes = typeof file === "string" ? file : new Uint8Array(file);
    return app.ask("POST", `/v1/imports?dry_run=true${query}`, {
      key,
      body: bytes as never,
      headers: { "Content-Type": type },
    });
  };

  it("is read in UTF-8 and UTF-16, and refused in other encodings with the one that it looks like", async () => {
    const text = "url,title\r\nhttps://example.com/Größe,Größe\r\n";
    for (const file of [text, Buffer.from(`\uFEFF${text}`, "utf16le")])
      expect((await send(file)).json).toMatchObject({ data: { not_taken: [], refused: 0 } });
    const latin1 = await send(Buffer.from(text, "latin1"));
    expect([latin1.status, latin1.json]).toMatchObject([
      400,
      {
        error: expect.stringMatching(
          /^content: is not UTF-8; it looks like Windows-1252 or ISO 8859-1: save it/,
        ),
      },
    ]);
    const workbook = await send(Buffer.from("PK\u0003\u0004"));
    expect(workbook.json).toMatchObject({ error: expect.stringContaining("content: is a workbook (.xlsx") });
  });

  it("has its columns named in the query, once with commas or once each", async () => {
    const text = "https://example.com/a,by-query,x\r\n";
    const refused = await send(text);
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { error: expect.stringContaining("content: has 3 columns and no header; name them with columns") },
    ]);
    for (const query of ["&columns=destination,slug,-", "&columns=destination&columns=slug&columns=-"]) {
      const taken = await send(text, query);
      expect([taken.status, taken.json]).toMatchObject([
        202,
        { data: { not_taken: ["column 3"], refused: 0 } },
      ]);
    }
    const lines = '{"Short":"a","Long":"https://example.com/"}\n{"Short":"b","Long":"https://example.com/"}';
    expect((await send(lines, "", "application/x-ndjson")).status).toBe(202);
  });
});
