import { spawn } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { tempFolder, until } from "@terse/testkit";
import { startTcpProxy } from "@terse/testkit/tcp-proxy";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { newWriter } from "../../../src/clicks/log/segment-name.ts";
import { ClickLog } from "../../../src/clicks/log/click-log.ts";
import { reserveClicks } from "../../../src/clicks/permits.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, depsOf, rejection, url } from "../../helpers.ts";
import { anotherCore, visitor } from "../../redirects/helpers.ts";
import { countsOf, drainOf, exactly, number } from "../drain/helpers.ts";

const { core, databaseUrl, actor, close } = await createTestCore();
afterAll(close);
const { links } = core.caller(await actor("pro"));
const script = fileURLToPath(new URL("follower.ts", import.meta.url));

/** Starts a process that follows a link, with its own click log below `folder`. */
async function startFollower(folder: string, slug: string, mode: "follow" | "hold" = "follow") {
  await mkdir(folder, { recursive: true });
  const child = spawn(process.execPath, [script, databaseUrl, folder, slug, mode], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const answers: string[] = [];
  createInterface(child.stdout).on("line", (line) => answers.push(line));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    answers,
    redirects: () => answers.filter((answer) => answer === "redirect").length,
    visit: (count: number) => child.stdin.write(`${count}\n`),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
type Follower = Awaited<ReturnType<typeof startFollower>>;

const sumOf = (followers: readonly Follower[]) => followers.reduce((sum, each) => sum + each.redirects(), 0);
const openOf = (linkId: string) =>
  number(core, "select coalesce(sum(granted - counted), 0) from click_permits where link_id = $1", [linkId]);

/** What visitors get, one after the other, who are recorded. */
async function visits(count: number, slug: string, on = core): Promise<string[]> {
  const answers: string[] = [];
  for (let left = count; left > 0; left--) {
    const decision = await on.redirects.resolve("short.test", slug, visitor);
    if (decision.kind === "redirect")
      await on.clicks.record(clickOn(decision.link_id, { counts_as: decision.counts_as }));
    answers.push(decision.kind === "gone" ? decision.reason : decision.kind);
  }
  return answers;
}

/** Follows a link from several processes at once, of which one is killed in the middle. */
async function trial({ limit, processes, perProcess }: Record<"limit" | "processes" | "perProcess", number>) {
  const { id, slug } = await links.create({ url, click_limit: limit });
  const root = await tempFolder();
  const folders = Array.from({ length: processes }, (_, at) => join(root, `node-${at}`));
  const followers = await Promise.all(folders.map((folder) => startFollower(folder, slug)));
  const drains = folders.map((folder) => drainOf(core, folder));
  for (const drain of drains) drain.start();
  for (const follower of followers) follower.visit(perProcess);
  await until(() => sumOf(followers) > 0);
  const victim = followers.find((each) => each.redirects() > 0) as Follower;
  await victim.kill();
  const others = followers.filter((each) => each !== victim);
  await until(() => others.every(({ answers }) => answers.length === perProcess));
  expect(sumOf(followers)).toBeLessThanOrEqual(limit);

  // What the killed process had taken and not used comes back once its log is counted.
  await until(async () => (await openOf(id)) === 0);
  const [survivor] = others as [Follower];
  for (
    let asked = perProcess;
    !survivor.answers.includes("used_up") || (await links.get({ id })).click_count < limit;
  ) {
    survivor.visit(limit);
    asked += limit;
    await until(() => survivor.answers.length === asked);
    await until(async () => (await openOf(id)) === 0);
  }
  await Promise.all(others.map((follower) => follower.end()));
  await until(async () =>
    (await readdir(root, { recursive: true })).every((file) => !file.endsWith(".clicks")),
  );
  await Promise.all(drains.map((drain) => drain.stop()));
  expect(await countsOf(core, id)).toEqual(exactly(limit));
  return { unanswered: limit - sumOf(followers) };
}

describe("a limit on clicks", () => {
  it("is exact in several processes, one of which is killed", async () => {
    // A click that was logged but not answered when the process was killed is counted.
    const { unanswered } = await trial({ limit: 300, processes: 3, perProcess: 200 });
    expect(unanswered).toBeGreaterThanOrEqual(0);
    expect(unanswered).toBeLessThanOrEqual(200);
  });

  it("is exact for ten thousand visits in four processes", { tags: ["long"] }, async () => {
    const { unanswered } = await trial({ limit: 5000, processes: 4, perProcess: 2500 });
    expect(unanswered).toBeGreaterThanOrEqual(0);
    expect(unanswered).toBeLessThanOrEqual(2500);
  });

  it("gives back what a killed process had taken for visits that it did not answer", async () => {
    const { id, slug } = await links.create({ url, click_limit: 5 });
    const folder = await tempFolder();
    const holder = await startFollower(folder, slug, "hold");
    holder.visit(3);
    await until(() => holder.answers.length === 3);
    expect(await visits(4, slug)).toEqual(["redirect", "redirect", "used_up", "used_up"]);
    const drain = drainOf(core, folder);
    await drain.once();
    expect(await openOf(id)).toBe(3);
    await holder.kill();
    await drain.once();
    expect(await openOf(id)).toBe(0);
    await until(async () => (await visits(1, slug))[0] === "redirect");
    expect(await visits(3, slug)).toEqual(["redirect", "redirect", "used_up"]);
    expect(await countsOf(core, id)).toEqual(exactly(5));
  });

  it("gives nothing back while its writer runs, whatever segments of it were counted", async () => {
    const { id, slug } = await links.create({ url, click_limit: 3 });
    const folder = await tempFolder();
    const writer = newWriter();
    const log = new ClickLog({ folder, writer, fsync: "off", segmentBytes: 100 });
    const { pool } = depsOf(core);
    await reserveClicks(pool, { linkId: id, writer, turn: 1, wanted: 3, undone: null });
    const append = () => new Promise<void>((done) => log.append(clickOn(id, { counts_as: "limited" }), done));
    await append();
    await append();
    const drain = drainOf(core, folder);
    await drain.once();
    expect(await readdir(folder)).toHaveLength(1);
    expect(await openOf(id)).toBe(1);
    expect(await visits(1, slug)).toEqual(["used_up"]);
    await log.close();
    await drain.once();
    expect(await openOf(id)).toBe(0);
    await until(async () => (await visits(1, slug))[0] === "redirect");
  });

  it("ignores an attempt that arrives after a later one", async () => {
    const { id } = await links.create({ url, click_limit: 3 });
    const { pool } = depsOf(core);
    const take = (turn: number, wanted: number, undone: number | null) =>
      reserveClicks(pool, { linkId: id, writer: "0".repeat(32), turn, wanted, undone });
    expect(await take(1, 1, null)).toEqual({ limit: 3, granted: 1 });
    // The answers of the second and the third are lost; the second arrives last.
    await take(3, 1, 2);
    expect(await take(4, 2, 2)).toEqual({ limit: 3, granted: 2 });
    await expect(take(2, 1, 2)).rejects.toThrow("A later attempt");
    expect(await openOf(id)).toBe(3);
  });

  it("gives back what was taken without an answer from the database", async () => {
    const { id, slug } = await links.create({ url, click_limit: 3 });
    const proxy = await startTcpProxy(databaseUrl);
    const far = await anotherCore(proxy.url);
    expect(await visits(1, slug, far)).toEqual(["redirect"]);
    const commit = proxy.holdAnswersTo("commit");
    const lost = rejection(far.redirects.resolve("short.test", slug, visitor));
    await commit.isAnswered();
    expect(await openOf(id)).toBe(1);
    await proxy.stop();
    expect(await lost).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await proxy.resume();
    await until(async () => (await openOf(id)) === 0);
    expect(await visits(3, slug)).toEqual(["redirect", "redirect", "used_up"]);
    expect(await countsOf(core, id)).toEqual(exactly(3));
  });
});
