import { access, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestDatabase } from "@terse/postgres";
import { browserUserAgent, until } from "@terse/testkit";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { admin, newDataDir, remove, run } from "../../apps/standalone/test/process.ts";
import { ownerKey, type Service, shorten, startService } from "../../apps/standalone/test/service.ts";

const long = { timeout: 300_000 };

async function dataFolder(): Promise<string> {
  const folder = await newDataDir();
  onTestFinished(() => remove(folder));
  return folder;
}

/** A database without tables, on the server of the tests. */
async function emptyDatabase(): Promise<string> {
  const { url } = JSON.parse(process.env.TERSE_TEST_SERVER ?? "{}") as { url: string };
  const database = await createTestDatabase(url, "template1");
  onTestFinished(database.drop);
  return database.url;
}

async function start(dataDir: string, env: Record<string, string> = {}): Promise<Service> {
  const service = await startService(dataDir, { env });
  onTestFinished(async () => void (await service.stop("SIGKILL")));
  return service;
}

async function clicksOf(service: Service, key: string): Promise<number> {
  const response = await fetch(`${service.api}/v1/analytics/overview?period=24h`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { data } = (await response.json()) as { data: { clicks: number } };
  return data.clicks;
}

/** Creates a link and clicks it, again and again. */
function load(service: Service, key: string) {
  let isOver = false;
  const done = { links: [] as string[], clicks: 0, begun: 0 };
  const work = (async () => {
    while (!isOver) {
      const { shortUrl } = await shorten(service, key, "https://example.com/");
      done.links.push(new URL(shortUrl).pathname);
      for (let click = 0; click < 20; click++) {
        done.begun += 1;
        await fetch(shortUrl, { redirect: "manual", headers: { "User-Agent": browserUserAgent } });
        done.clicks += 1;
      }
    }
  })();
  const stop = async () => {
    isOver = true;
    await work;
  };
  return { done, stop };
}

/** Makes a backup under load; its clicks are between `low` and `high`, and it has the first `links` links. */
async function backUpUnderLoad(service: Service, key: string, dataDir: string, env: Record<string, string>) {
  const { done, stop } = load(service, key);
  await until(() => done.links.length >= 10);
  const [low, links] = [done.clicks, done.links.length];
  const file = join(dataDir, "backup");
  const { code, answer, stderr } = await admin(dataDir, ["backup", file], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const high = done.begun;
  await stop();
  const clicks: number = answer.click_count + answer.clicks_in_log;
  return { file, low, high, clicks, links: done.links.slice(0, links) };
}

async function refusal(dataDir: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await admin(dataDir, args, { env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  return stderr;
}

test("a file that is no backup is refused in one line", async () => {
  const folder = await dataFolder();
  await writeFile(join(folder, "text"), "no backup");
  expect(await refusal(folder, ["restore", "--check", join(folder, "text")])).toMatch(
    /^The file is not .*\n$/,
  );
  expect(await refusal(folder, ["restore", "--check", join(folder, "gone")])).toMatch(
    /^\/.*gone: ENOENT.*\n$/,
  );
});

describe("a service under load", () => {
  test(
    "goes from the embedded database to a file, to another PostgreSQL, and back, with every click",
    long,
    async () => {
      const [first, second, third] = [await dataFolder(), await dataFolder(), await dataFolder()];
      const embedded = await start(first);
      const key = await ownerKey(first);
      const one = await backUpUnderLoad(embedded, key, first, {});
      expect(one.clicks).toBeGreaterThanOrEqual(one.low);
      expect(one.clicks).toBeLessThanOrEqual(one.high);
      expect((await stat(one.file)).mode & 0o777).toBe(0o600);
      await embedded.stop("SIGKILL");

      const env = { DATABASE_URL: await emptyDatabase() };
      const restored = await admin(second, ["restore", one.file], {
        env: { ...env, SHORT_BASE: "http://new.test", KEY_PREFIX: "new" },
      });
      expect(restored).toMatchObject({ code: 0, stderr: "" });
      expect(restored.answer.settings_differ).toMatchObject({ KEY_PREFIX: { backup: "terse", now: "new" } });
      const external = await start(second, env);
      await until(async () => (await clicksOf(external, key)) === one.clicks);
      for (const path of one.links) {
        expect((await fetch(external.short + path, { redirect: "manual" })).status).toBe(302);
      }

      const two = await backUpUnderLoad(external, key, second, env);
      const before = one.clicks;
      expect(two.clicks).toBeGreaterThanOrEqual(before + two.low);
      expect(two.clicks).toBeLessThanOrEqual(before + two.high);
      expect(await admin(third, ["restore", two.file])).toMatchObject({ code: 0, stderr: "" });
      const back = await start(third);
      await until(async () => (await clicksOf(back, key)) === two.clicks);
      const { answer } = await admin(third, ["analytics", "rebuild"]);
      expect(answer.differences).toEqual([]);
    },
  );

  test("is not restored over, and its database is not moved", long, async () => {
    const folder = await dataFolder();
    await start(folder);
    const file = join(folder, "backup");
    expect(await admin(folder, ["backup", file])).toMatchObject({ code: 0 });
    expect(await refusal(folder, ["backup", file])).toMatch(/exists already/);
    expect(await refusal(folder, ["restore", "--force", file])).toMatch(/^Other programs are connected/);
    expect(await refusal(folder, ["move", "--to", await emptyDatabase()])).toMatch(
      /^Other programs are connected/,
    );
    await expect(access(join(folder, "moved.json"))).rejects.toThrow("ENOENT");
  });
});

describe("a restore that is killed", () => {
  test("leaves what was there, and can be repeated", long, async () => {
    const folder = await dataFolder();
    await admin(folder, ["user", "create", "--email", "saved@example.com"]);
    const file = join(folder, "backup");
    await admin(folder, ["backup", file]);
    const env = { DATABASE_URL: await emptyDatabase() };
    await admin(folder, ["user", "create", "--email", "old@example.com"], { env });
    const emails = async () =>
      (await admin(folder, ["user", "list"], { env })).answer.users.map(
        ({ email }: { email: string }) => email,
      );
    const client = new pg.Client(env.DATABASE_URL.replace(/[^/]+$/, "postgres"));
    await client.connect();
    const name = new URL(env.DATABASE_URL).pathname.slice(1);
    // At different moments of the transaction.
    for (const seen of [1, 20, 40, 80]) {
      const { child, ended } = run("admin.ts", ["restore", "--force", file], {
        env: { ...env, DATA_DIR: folder },
      });
      let count = 0;
      await until(async () => {
        const { rowCount } = await client.query(
          "select from pg_stat_activity where datname = $1 and xact_start is not null and backend_xid is not null",
          [name],
        );
        count += rowCount ?? 0;
        return count >= seen;
      });
      child.kill("SIGKILL");
      await ended;
      expect(await emails()).toEqual(["old@example.com"]);
    }
    await client.end();
    expect(await admin(folder, ["restore", "--force", file], { env })).toMatchObject({ code: 0 });
    expect(await emails()).toEqual(["saved@example.com"]);
  });
});

describe("moving the embedded database", () => {
  test("proves each table, and the service starts on the new one only", long, async () => {
    const folder = await dataFolder();
    const service = await start(folder);
    const key = await ownerKey(folder);
    const { shortUrl } = await shorten(service, key, "https://example.com/");
    for (let click = 0; click < 5; click++) {
      await fetch(shortUrl, { redirect: "manual", headers: { "User-Agent": browserUserAgent } });
    }
    // Its last clicks may still be in the log.
    await service.stop("SIGKILL");

    const to = await emptyDatabase();
    const url = new URL(to);
    url.password = "wrong";
    url.username = "nobody";
    expect(await refusal(folder, ["move", "--to", url.href])).toMatch(
      /^The database at .* cannot be used: .*\n$/,
    );
    await writeFile(join(folder, "url"), `${to}\n`);
    const moved = await admin(folder, ["move", "--to-file", join(folder, "url")]);
    expect(moved).toMatchObject({ code: 0, stderr: "" });
    expect(moved.answer.tables.links).toEqual({ rows: 1, checksum: expect.stringMatching(/^-?\d+$/) });
    expect(moved.answer.next).toContain("DATABASE_URL");

    expect(await refusal(folder, ["user", "list"])).toMatch(
      /^The database in .* was moved to .*: set DATABASE_URL/,
    );
    const there = await start(folder, { DATABASE_URL: to });
    await until(async () => (await clicksOf(there, key)) === 5);
  });
});
