import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, open, readFile } from "node:fs/promises";
import type { Binaries } from "./binaries.ts";
import { environment } from "./cluster.ts";
import type { Home } from "./home.ts";
import { isReady } from "./postmaster.ts";
import { socketPort } from "./socket.ts";

/** A log of more bytes is truncated at a start. */
const maxLogBytes = 10 * 1024 * 1024;
const notDurable = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/**
 * Starts a server and resolves when it accepts connections.
 * @throws an error with the end of its log, if it exits or is not ready after `timeoutMs`
 */
export async function spawnPostmaster(
  home: Home,
  binaries: Binaries,
  options: { socketFolder: string; durable: boolean; timeoutMs: number },
): Promise<void> {
  const settings = [
    "listen_addresses=",
    `port=${socketPort}`,
    `unix_socket_directories="${options.socketFolder}"`,
    "unix_socket_permissions=0700",
    ...(options.durable ? [] : notDurable),
  ];
  const log = await openLog(home);
  try {
    // In its own session, so that Ctrl-C in the terminal does not reach it: we stop it in order.
    const server = spawn(
      binaries.postgres,
      ["-D", home.cluster, ...settings.flatMap((setting) => ["-c", setting])],
      {
        ...home.account,
        cwd: "/",
        env: environment,
        detached: true,
        stdio: ["ignore", log.handle.fd, log.handle.fd],
      },
    );
    await once(server, "spawn");
    server.unref();
    const ended = () => server.exitCode !== null || server.signalCode !== null;
    if (await isReady(home, ended, options.timeoutMs)) return;
  } finally {
    await log.handle.close();
  }
  throw new Error(
    `PostgreSQL did not start: ${(await readFile(home.log)).subarray(log.start).toString().trim()}`,
  );
}

// Does not follow links: root would hand over the file that another user's link points to.
const appendFlags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW;

async function openLog(home: Home) {
  const handle = await open(home.log, appendFlags, 0o600);
  if (home.account) await handle.chown(home.account.uid, home.account.gid);
  if ((await handle.stat()).size > maxLogBytes) await handle.truncate();
  return { handle, start: (await handle.stat()).size };
}
