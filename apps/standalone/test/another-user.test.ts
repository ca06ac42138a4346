import { accessSync, constants, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { admin, argumentsOf, newDataDir, processesOf, remove } from "./process.ts";
import { ownerKey, shorten, startService } from "./service.ts";

const [main = ""] = argumentsOf("main.ts");

/** The uid of nobody, if we are root and nobody can read this checkout and run this Node; else undefined. */
function otherUser(): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("nobody:"));
  const uid = Number(line?.split(":")[2]);
  accessSync(main, constants.R_OK);
  const read = `require("node:fs").readFileSync(${JSON.stringify(main)})`;
  const { status } = spawnSync(process.execPath, ["-e", read], { uid, gid: uid, cwd: "/" });
  return status === 0 ? uid : undefined;
}
const uid = otherUser();

// Only root can switch users; for an ordinary user, all other tests show the same.
describe.runIf(uid !== undefined)("an ordinary user with their own data folder", () => {
  test("starts the service on free ports, uses the admin command and leaves nothing behind", async () => {
    const user = { uid: uid ?? 0 };
    const dataDir = await newDataDir(user.uid);
    const anyPorts = { HTTP_PORT: "0", REDIRECT_PORT: "0", MCP_PORT: "0", ADMIN_PORT: "0" };
    const service = await startService(dataDir, { ...user, env: anyPorts });
    expect(await shorten(service, await ownerKey(dataDir), "https://example.com/")).toHaveProperty(
      "shortUrl",
    );
    const { answer } = await admin(dataDir, ["user", "list"], user);
    expect(answer.users).toHaveLength(1);
    expect(await service.stop("SIGINT", "group")).toBe(0);
    expect(await processesOf(dataDir)).toEqual([]);
    await remove(dataDir);
  });
});
