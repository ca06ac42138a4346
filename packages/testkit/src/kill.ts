import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Ends a process as a crash does, and waits until it is gone. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
