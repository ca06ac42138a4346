import { join } from "node:path";
import { startPostgres } from "@terse/postgres";
import { browserUserAgent, until } from "@terse/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDataDir, remove } from "./process.ts";
import { follow, ownerKey, type Service, shorten, startService } from "./service.ts";
import { countsOf } from "./chaos/counts.ts";

let dataDir: string;
let databaseUrl: string;
let service: Service;
let key: string;
const database = () => startPostgres({ dataDir: join(dataDir, "database") });

beforeAll(async () => {
  dataDir = await newDataDir();
  const postgres = await database();
  databaseUrl = postgres.url;
  await postgres.stop();
  service = await startService(dataDir, { env: { DATABASE_URL: databaseUrl, DRAIN_DELAY: "1" } });
});

/** What each listener says of the node, the one for operators last. */
const readiness = () =>
  Promise.all(
    [service.api, service.short, service.mcp.replace(/\/mcp$/, ""), service.admin].map(async (host) => {
      const response = await fetch(`${host}/readyz`);
      const { checks } = (await response.json()) as {
        checks: Record<string, { ok: boolean; detail: string }>;
      };
      return { status: response.status, checks };
    }),
  );
const statuses = async () => (await readiness()).map(({ status }) => status).join(" ");

/** The value of a metric with exactly these labels. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.admin}/metrics`)).text();
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")[1],
  );
}
afterAll(async () => {
  await service.stop("SIGTERM");
  await remove(dataDir);
});

const create = () =>
  fetch(`${service.api}/v1/links`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/" }),
  });

/** Both hosts are healthy, and answer 503 with Retry-After if they need the database. */
async function expectUnavailable(path: string) {
  for (const host of [service.api, service.short]) expect((await fetch(`${host}/health`)).status).toBe(200);
  const answer = await create();
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(await answer.json()).toMatchObject({ data: null, error: expect.any(String), meta: null });
  const page = await fetch(`${service.short}/${path}`);
  expect(page.status).toBe(503);
  expect(page.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(await page.text()).toContain("Back in a moment");
}

test("without its database, a service starts, logs one line, and answers 503", async () => {
  expect(service.banner).toContain("waiting for it");
  await until(() => service.output.stdout.includes('"msg":"waiting for the database"'));
  expect(service.output.stdout.match(/waiting for the database/g)).toHaveLength(1);
  expect(await ownerKey(dataDir)).toBe("");
  await expectUnavailable("any");
  expect(await statuses()).toBe("503 503 503 503");
  const [open, , , operators] = await readiness();
  expect(open?.checks).toMatchObject({
    database: { ok: false, detail: "the database does not answer" },
    migrations: { ok: false },
    click_log: { ok: true },
    redirect_workers: { ok: true },
  });
  expect(operators?.checks["database"]?.detail).toMatch(/^the database does not answer: .*ENOENT/);
});

test("when the database is available, the first key is written and links are created and counted", async () => {
  const postgres = await database();
  await until(() => service.output.stdout.includes('"key_file"'));
  key = await ownerKey(dataDir);
  const link = await shorten(service, key, "https://example.com/there");
  const headers = { "User-Agent": browserUserAgent };
  expect((await fetch(link.shortUrl, { redirect: "manual", headers })).status).toBe(302);
  await until(async () => (await countsOf(databaseUrl)).clicks === 1);

  await until(async () => (await statuses()) === "200 200 200 200");
  // A worker answered, the main process counted.
  await until(async () => (await metric("terse_clicks_logged_total")) === 1);
  await until(async () => (await metric("terse_clicks_counted_total")) === 1);
  expect(await metric("terse_processes")).toBe(2);

  await postgres.stop();
  expect(await follow(link.shortUrl)).toBe("https://example.com/there");
  await expectUnavailable("never-seen");
  const again = await database();
  await until(async () => (await fetch(`${service.short}/never-seen`)).status === 404);
  expect((await shorten(service, key, "https://example.com/again")).shortUrl).toContain(service.short);
  await until(async () => (await statuses()) === "200 200 200 200");
  // As systemd does: only the main process gets the signal.
  const stopped = service.stop("SIGTERM");
  await until(async () => (await fetch(`${service.admin}/readyz`)).status === 503);
  expect(await statuses()).toBe("503 503 503 503");
  expect(await follow(link.shortUrl)).toBe("https://example.com/there");
  expect(await stopped).toBe(0);
  expect(service.output.stderr).toBe("");
  await again.stop();
});

test("a service that is waiting for its database stops at once", async () => {
  service = await startService(dataDir, { env: { DATABASE_URL: databaseUrl } });
  expect(await service.stop("SIGTERM")).toBe(0);
  expect(service.output.stderr).toBe("");
});
