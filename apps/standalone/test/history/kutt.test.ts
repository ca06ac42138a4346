import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createTestDatabase } from "@terse/postgres";
import pg from "pg";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { openKutt } from "../../src/history/kutt/api.ts";
import { openKuttDatabase } from "../../src/history/kutt/database.ts";
import { historyCore, never } from "./helpers.ts";

const { run, linkOf, databaseUrl, close } = await historyCore();
afterAll(close);

/** A link as Kutt 3 answers it. */
const link = (address: string, more = {}) => ({
  id: "0b6f1f4e-0000-4000-8000-000000000000",
  address,
  banned: false,
  created_at: "2022-02-03T04:05:06.000Z",
  updated_at: "2022-02-03T04:05:06.000Z",
  password: false,
  description: null as string | null,
  expire_in: null as string | null,
  target: `https://example.com/${address}`,
  visit_count: 0,
  domain: null,
  link: `https://kutt.example/${address}`,
  ...more,
});

/** A server that answers as Kutt's REST API does: at most fifty links, the newest first. */
async function startKutt(links: readonly object[]): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://kutt");
    const limit = Math.min(50, Number(searchParams.get("limit") ?? 10));
    const skip = Number(searchParams.get("skip") ?? 0);
    const isAllowed = request.headers["x-api-key"] === "secret" && pathname === "/api/v2/links";
    response.writeHead(isAllowed ? 200 : 401, { "Content-Type": "application/json" });
    const data = links.slice(skip, skip + limit);
    response.end(
      JSON.stringify(isAllowed ? { total: links.length, limit, skip, data } : { error: "Unauthorized" }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("an import from Kutt keeps its totals apart, and leaves out what would be open without its password", async () => {
  const url = await startKutt([
    link("named", { description: "A title", expire_in: "2099-01-01T00:00:00.000Z", visit_count: 1234 }),
    link("sqlite", { expire_in: "2099-01-31 12:00:00" }),
    link("locked", { password: true }),
    link("banned", { banned: true }),
    link("zoneless", { created_at: "2022-02-03 04:05:06" }),
    ...Array.from({ length: 120 }, (_, at) => link(`k${at}`, { visit_count: at })),
  ]);
  const open = () => openKutt({ url, key: "secret", interrupt: never });
  const totals = 1234 + (119 * 120) / 2;
  expect(await run(open())).toMatchObject({
    links: { found: 125, created: 123, exists: 0, refused: 2 },
    visits: { found: 0 },
    imported_clicks: totals,
  });
  expect(await run(open())).toMatchObject({ links: { created: 0, exists: 123 }, imported_clicks: totals });
  expect(await linkOf("named")).toMatchObject({
    title: "A title",
    created_at: "2022-02-03T04:05:06.000Z",
    expires_at: "2099-01-01T00:00:00.000Z",
    imported_clicks: 1234,
    click_count: 0,
  });
  expect(await linkOf("zoneless")).toMatchObject({ created_at: "2022-02-03T04:05:06.000Z" });
  expect(await linkOf("sqlite")).toMatchObject({ expires_at: "2099-01-31T12:00:00.000Z" });
});

/** Made by Kutt 3.2 with PostgreSQL, and written by pg_dump. */
async function kuttDatabase(): Promise<string> {
  const database = await createTestDatabase(databaseUrl, "template1");
  onTestFinished(database.drop);
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(await readFile(join(import.meta.dirname, "kutt", "database.sql"), "utf8"));
  await client.end();
  return database.url;
}

it("an import from Kutt's database has the links of one user, with what the REST API gives of them", async () => {
  const url = await kuttDatabase();
  await query(url, "update domains set banned = true");
  const open = (user: string) => openKuttDatabase({ url, user, interrupt: never });
  let said = "";
  const report = await run(await open("ada@example.com"), { say: (text) => (said += text) });
  expect(report).toMatchObject({
    source: "kutt",
    links: { found: 5, created: 2, exists: 0, refused: 3 },
    visits: { found: 0 },
    imported_clicks: 23,
  });
  expect(said).toMatch(/^Kutt in the database \w+ at .*: 5 links and 0 visits/);
  expect(said).toContain("locked: it has a password");
  expect(said).toContain("banned: it is banned there");
  expect(said).toContain("go.example.com/own: it is banned there");
  const { rows } = await query(url, "select created_at from links where address = 'titled'");
  expect(await linkOf("titled")).toMatchObject({
    title: "Größe 🎉 second line",
    expires_at: "2099-01-01T00:00:00.000Z",
    created_at: (rows[0] as { created_at: Date }).created_at.toISOString(),
    imported_clicks: 23,
  });
  expect(await run(await open("ben@example.com"))).toMatchObject({
    links: { created: 1 },
    imported_clicks: 4,
  });
  await expect(run(await open("nobody@example.com"))).rejects.toThrow("Kutt has no user nobody@example.com");
  const gone = openKuttDatabase({ url: "postgres://127.0.0.1:1/kutt", user: "a", interrupt: never });
  await expect(run(await gone)).rejects.toThrow(/^the database kutt at 127\.0\.0\.1:1 cannot be read: /);
  const wrong = openKuttDatabase({ url: "postgres://kutt", user: "a", interrupt: never });
  await expect(wrong).rejects.toThrow("must look like");
});

async function query(url: string, text: string) {
  const client = new pg.Client(url);
  await client.connect();
  const result = await client.query(text);
  await client.end();
  return result;
}
