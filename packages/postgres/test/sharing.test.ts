import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../src/index.ts";
import { isRunning } from "../src/process-mark.ts";
import {
  dataFolder,
  end,
  folderWithCluster,
  hold,
  kill,
  query,
  serverPid,
  socketFolder,
  start,
} from "./support.ts";

async function pidOf(dataDir: string): Promise<number> {
  return (await serverPid(dataDir)) ?? expect.fail("no server runs");
}

describe("several users of one server", () => {
  test("two processes that start for the first time at once share one server", async () => {
    const dataDir = await dataFolder();
    const users = await Promise.all([
      hold(dataDir),
      hold(dataDir),
      startPostgres({ dataDir, durable: false }),
    ]);
    expect(users.filter(({ adopted }) => !adopted)).toHaveLength(1);
    expect(new Set(users.map(({ url }) => url)).size).toBe(1);
    const pid = await pidOf(dataDir);
    const [one, other, ours] = users;
    await Promise.all([kill(one.child, "SIGTERM"), kill(other.child, "SIGTERM"), ours.stop()]);
    expect(isRunning(pid)).toBe(false);
  });

  test("the server runs until the last process releases it", async () => {
    const dataDir = await folderWithCluster();
    const service = await hold(dataDir);
    const command = await start(dataDir);
    const pid = await pidOf(dataDir);
    await kill(service.child, "SIGTERM");
    expect(await query(command.url, "select 1 as one")).toEqual({ one: 1 });
    await command.stop();
    expect(isRunning(pid)).toBe(false);
  });

  test("two users in one process count as two", async () => {
    const dataDir = await folderWithCluster();
    const [one, other] = [await start(dataDir), await start(dataDir)];
    expect([one.adopted, other.adopted]).toEqual([false, true]);
    await one.stop();
    await one.stop();
    expect(await query(other.url, "select 1 as one")).toEqual({ one: 1 });
    const pid = await pidOf(dataDir);
    await other.stop();
    expect(isRunning(pid)).toBe(false);
  });

  test("a server whose process was killed is adopted, and the killed user no longer counts", async () => {
    const dataDir = await folderWithCluster();
    const killed = await hold(dataDir);
    await query(killed.url, "create table kept as select 42 as answer");
    const pid = await pidOf(dataDir);
    await kill(killed.child, "SIGKILL");
    expect(isRunning(pid)).toBe(true);
    const server = await start(dataDir);
    expect(server.adopted).toBe(true);
    expect(await query(server.url, "select answer from kept")).toEqual({ answer: 42 });
    expect(await pidOf(dataDir)).toBe(pid);
    await server.stop();
    expect(isRunning(pid)).toBe(false);
  });

  test("a process killed at any point of its start does not block the next start", async () => {
    const dataDir = await dataFolder();
    for (const milliseconds of [150, 300, 500, 800]) {
      const child = spawn(process.execPath, [join(import.meta.dirname, "holder.ts"), dataDir], {
        stdio: "ignore",
      });
      setTimeout(() => child.kill("SIGKILL"), milliseconds);
      await once(child, "exit");
    }
    const server = await start(dataDir);
    expect(await query(server.url, "select 1 as one")).toEqual({ one: 1 });
  });

  test("Ctrl-C in the terminal reaches the process but not the server", async () => {
    const dataDir = await folderWithCluster();
    const { child } = await hold(dataDir, { detached: true });
    const pid = await pidOf(dataDir);
    const exit = once(child, "exit");
    process.kill(-(child.pid ?? expect.fail("no pid")), "SIGINT");
    await exit;
    expect(isRunning(pid)).toBe(true);
  });

  test("a server without durability is restarted for a user who needs it, or refused while others use it", async () => {
    const dataDir = await folderWithCluster();
    const quick = await hold(dataDir);
    await expect(startPostgres({ dataDir })).rejects.toThrow(/runs without durability/);
    await kill(quick.child, "SIGKILL");
    const server = await start(dataDir, { durable: true });
    expect(await query(server.url, "show fsync")).toEqual({ fsync: "on" });
  });
});

describe("after a crash", () => {
  test("a killed server is restarted for its users, with all committed data", async () => {
    const dataDir = await folderWithCluster();
    const told: string[] = [];
    const server = await start(dataDir, { durable: true, onTrouble: (sentence) => told.push(sentence) });
    const other = await hold(dataDir, { args: ["true"] });
    await query(server.url, "create table kept as select 42 as answer");
    for (const round of [1, 2]) {
      const pid = await pidOf(dataDir);
      await end(pid, "SIGKILL");
      const answer = () => query(server.url, "select answer from kept").catch(() => round);
      await expect.poll(answer, { timeout: 30_000, interval: 100 }).toEqual({ answer: 42 });
      expect(await pidOf(dataDir)).not.toBe(pid);
      // The first user to notice restarts it; the last one still stops it.
      if (round === 1) await kill(other.child, "SIGTERM");
    }
    await expect
      .poll(() => told.slice(-2))
      .toEqual(["PostgreSQL exited unexpectedly; restarting it", "PostgreSQL is running again"]);
    const last = await pidOf(dataDir);
    await server.stop();
    expect(isRunning(last)).toBe(false);
  }, 90_000);

  test("a killed server is started by the next user, with all committed data", async () => {
    const dataDir = await folderWithCluster();
    const server = await hold(dataDir, { args: ["true"] });
    await query(server.url, "create table kept as select 42 as answer");
    await kill(server.child, "SIGKILL");
    await end(await pidOf(dataDir), "SIGKILL");
    const again = await start(dataDir, { durable: true });
    expect(again).toMatchObject({ adopted: false, url: server.url });
    expect(await query(again.url, "select answer from kept")).toEqual({ answer: 42 });
  });

  test("a stale pid file that names another live process is ignored", async () => {
    const dataDir = await folderWithCluster();
    const user = await hold(dataDir);
    await kill(user.child, "SIGKILL");
    const stranger = spawn("sleep", ["60"]);
    onTestFinished(() => void stranger.kill());
    await end(await pidOf(dataDir), "SIGKILL");
    const file = join(dataDir, "postgres", "cluster", "postmaster.pid");
    await writeFile(file, (await readFile(file, "utf8")).replace(/^\d+/, String(stranger.pid)));
    const server = await start(dataDir);
    expect(server.adopted).toBe(false);
    expect(await query(server.url, "select 1 as one")).toEqual({ one: 1 });
    expect(stranger.exitCode).toBeNull();
  });

  test("a server whose socket was deleted is restarted", async () => {
    const dataDir = await folderWithCluster();
    const server = await start(dataDir);
    await rm(socketFolder(server.url), { recursive: true });
    const again = await start(dataDir);
    expect(again).toMatchObject({ adopted: false, url: server.url });
    expect(await query(again.url, "select 1 as one")).toEqual({ one: 1 });
  });
});
