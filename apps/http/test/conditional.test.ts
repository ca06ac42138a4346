import { browserUserAgent, until } from "@terse/testkit";
import { expect, it } from "vitest";
import { errorOf, linkOf, startApp } from "./client.ts";

const app = await startApp();
const { key } = await app.key("pro");
const url = "https://example.com/";

async function newLink() {
  const { id } = linkOf(await app.ask("POST", "/v1/links", { key, json: { url } }));
  const path = `/v1/links/${id}`;
  const read = async () => (await app.ask("GET", path, { key })).headers.get("etag") ?? "";
  const put = (json: object, ifMatch: string) =>
    app.ask("PUT", path, { key, json, headers: { "If-Match": ifMatch } });
  return { id, path, read, put };
}

it("a change is refused if the link has changed since it was read, and nothing is lost", async () => {
  const { path, read, put } = await newLink();
  const etag = await read();
  expect(etag).toMatch(/^"[\w-]+\.[\w-]+"$/);
  const first = await put({ title: "First" }, etag);
  expect(first.status).toBe(200);
  const second = await put({ title: "Second" }, etag);
  expect(second.status).toBe(412);
  expect(errorOf(second)).toBe("If-Match: the link has changed since you read it; read it again");
  expect((await app.ask("DELETE", path, { key, headers: { "If-Match": etag } })).status).toBe(412);
  const now = first.headers.get("etag") ?? "";
  expect(now).toBe(await read());
  expect((await put({ title: "Second" }, `"other", ${now}`)).status).toBe(200);
  expect((await put({ tags: ["a"] }, now)).status).toBe(412);
  for (const never of [`W/${await read()}`, "x", '""', "\u00e4"])
    expect((await put({ title: "x" }, never)).status).toBe(412);
  expect((await put({ title: "Third" }, "*")).status).toBe(200);
  const deletion = { key, headers: { "If-Match": await read() } };
  expect((await app.ask("DELETE", path, deletion)).status).toBe(200);
  expect((await app.ask("DELETE", path, deletion)).status).toBe(404);
});

it("of changes at the same time with the same tag, one is made", async () => {
  const { read, put } = await newLink();
  const etag = await read();
  const changes = Array.from({ length: 8 }, (_, at) =>
    put(at % 2 ? { title: `${at}` } : { tags: [`${at}`] }, etag),
  );
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 412)).toHaveLength(7);
});

it("* means that the link exists: changes at the same time are all made, and so is a deletion", async () => {
  const { path, put } = await newLink();
  const changes = Array.from({ length: 8 }, (_, at) =>
    put(at % 2 ? { title: `${at}` } : { tags: [`${at}`] }, "*"),
  );
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  const deletion = { key, headers: { "If-Match": " * " } };
  const more = Array.from({ length: 4 }, (_, at) => put({ title: `${at}` }, "*"));
  const deletions = Array.from({ length: 2 }, () => app.ask("DELETE", path, deletion));
  const statuses = (await Promise.all(deletions)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 404]));
  for (const { status } of await Promise.all(more)) expect([200, 404]).toContain(status);
});

it("a click makes another answer, but is no reason to refuse a change", async () => {
  const { id, path, read, put } = await newLink();
  const etag = await read();
  const conditional = () => app.ask("GET", path, { key, headers: { "If-None-Match": `W/"x", ${etag}` } });
  expect(await conditional()).toMatchObject({ status: 304, text: "" });
  await app.core.clicks.record({ link_id: id, user_agent: browserUserAgent });
  await until(async () => (await read()) !== etag);
  expect((await conditional()).status).toBe(200);
  expect((await put({ title: "After a click" }, etag)).status).toBe(200);
});
