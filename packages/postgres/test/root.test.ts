import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, copyFile, lstat, mkdir, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isLive, isRunning } from "../src/process-mark.ts";
import { copyCheckout } from "./checkout.ts";
import {
  dataFolder,
  exists,
  hold,
  isRoot,
  kill,
  query,
  serverPid,
  socketFolder,
  start,
  temporaryFolder,
} from "./support.ts";

const shared = "/var/lib/terse";
const nobody = 65534;

/** Removes new files from the shared folder after the test. */
async function tidySharedFolder(): Promise<void> {
  const list = async (): Promise<string[]> => ((await exists(shared)) ? readdir(shared) : []);
  const [existed, before] = [await exists(shared), await list()];
  onTestFinished(async () => {
    for (const name of await list()) {
      if (!before.includes(name)) await rm(join(shared, name), { recursive: true, force: true });
    }
    if (!existed) await rm(shared, { recursive: true, force: true });
  });
}

/** A checkout and a data folder that a user other than root can run, and the options of `hold` that do so. */
async function checkoutOf(uid: number) {
  const home = await temporaryFolder();
  await chmod(home, 0o755);
  const script = await copyCheckout(join(home, "checkout"));
  const node = join(home, "node");
  await copyFile(process.execPath, node);
  const dataDir = await dataFolder(home);
  await chown(dataDir, uid, uid);
  return { dataDir, options: { script, node, uid, gid: uid, cwd: home } };
}

describe.runIf(isRoot)("as root", () => {
  test("a checkout below a closed folder works: programs and data are placed where the server's user can reach them", async () => {
    await tidySharedFolder();
    const closed = await temporaryFolder();
    await chmod(closed, 0o700);
    const script = await copyCheckout(join(closed, "checkout"));
    const dataDir = await dataFolder(closed);
    const [one, other] = await Promise.all([hold(dataDir, { script }), hold(dataDir, { script })]);
    expect(await query(one.url, "select 1 as one")).toEqual({ one: 1 });
    expect(one.adopted).toBe(!other.adopted);
    expect(await readlink(join(dataDir, "postgres"))).toMatch(/^\/var\/lib\/terse\/data-/);
    const names = await readdir(shared);
    expect(names.filter((name) => name.startsWith("copy-"))).toEqual([]);
    expect(names.filter((name) => name.startsWith("postgresql-18."))).toHaveLength(1);
    await Promise.all([kill(one.child, "SIGTERM"), kill(other.child, "SIGTERM")]);
    expect(await serverPid(dataDir)).toBeUndefined();
  });

  test("the socket's folder is closed to others and not owned by root, even if another user took its name first", async () => {
    const dataDir = await dataFolder();
    const first = await start(dataDir);
    const taken = socketFolder(first.url);
    const { uid, mode } = await lstat(taken);
    expect([uid === 0, mode & 0o777]).toEqual([false, 0o700]);
    await first.stop();
    await mkdir(taken, { mode: 0o777 });
    onTestFinished(() => rm(taken, { recursive: true, force: true }));
    await chown(taken, nobody, nobody);
    const server = await start(dataDir);
    expect(socketFolder(server.url)).not.toBe(taken);
    expect(await query(server.url, "select 1 as one")).toEqual({ one: 1 });
  });

  test("an ordinary user has everything in the data folder; root then runs that data as its owner", async () => {
    const { dataDir, options } = await checkoutOf(nobody);
    const user = await hold(dataDir, options);
    const pid = (await serverPid(dataDir)) ?? expect.fail("no server runs");
    expect((await lstat(`/proc/${pid}`)).uid).toBe(nobody);
    await query(user.url, "create table kept as select 42 as answer");
    await kill(user.child, "SIGTERM");
    expect(isRunning(pid)).toBe(false);
    expect((await lstat(join(dataDir, "postgres"))).isDirectory()).toBe(true);

    const server = await start(dataDir);
    expect(await query(server.url, "select answer from kept")).toEqual({ answer: 42 });
    expect((await lstat(`/proc/${await serverPid(dataDir)}`)).uid).toBe(nobody);
    await server.stop();
    const again = await hold(dataDir, options);
    await kill(again.child, "SIGTERM");
  });

  test("root uses a running server in a folder that its user cannot enter, and says so if none runs", async () => {
    const { dataDir, options } = await checkoutOf(nobody);
    const user = await hold(dataDir, options);
    await kill(user.child, "SIGKILL");
    await chmod(dirname(dataDir), 0o700);
    const server = await start(dataDir);
    expect(server.adopted).toBe(true);
    expect(await query(server.url, "select 1 as one")).toEqual({ one: 1 });
    await server.stop();
    await expect(start(dataDir)).rejects.toThrow(`user ${nobody}, who cannot enter`);
  });

  test("a process that sees another boot id is live", async (context) => {
    const mounts = spawnSync("unshare", ["--mount", "true"]);
    context.skip(mounts.status !== 0, "this system allows no mounts");
    const file = join(await temporaryFolder(), "boot-id");
    await writeFile(file, "00000000-0000-4000-8000-000000000000\n");
    const marks = new URL("../src/process-mark.ts", import.meta.url);
    const program = `import { newMark } from "${marks.href}"; console.log(newMark()); setInterval(() => {}, 1000);`;
    const inside = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"';
    const node = [process.execPath, "--input-type=module", "--eval", program];
    const child = spawn("unshare", ["--mount", "sh", "-c", inside, file, ...node]);
    onTestFinished(() => kill(child, "SIGKILL"));
    const mark = String((await once(child.stdout, "data"))[0]).trim();
    expect(mark).toContain("-00000000.");
    expect(isLive(mark)).toBe(true);
  });

  test("a user without a passwd entry has a server of its own", async (context) => {
    const nameless = 54_321;
    const namespace = spawnSync("unshare", ["--user", "true"], { uid: nameless, gid: nameless });
    context.skip(namespace.status !== 0, "this system allows no user namespaces");
    const { dataDir, options } = await checkoutOf(nameless);
    const user = await hold(dataDir, options);
    expect(await query(user.url, "select current_user as role")).toEqual({ role: "terse_service" });
    expect((await lstat(join(dataDir, "postgres", "cluster"))).uid).toBe(nameless);
    await kill(user.child, "SIGTERM");
    expect(await serverPid(dataDir)).toBeUndefined();
  });
});
