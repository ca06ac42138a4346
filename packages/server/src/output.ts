import { write, writeSync } from "node:fs";

/** Maximum number of queued characters; further lines are dropped. */
const maxQueued = 1024 * 1024;
const retryMs = 100;

/**
 * Writes lines to a file descriptor, in order and without blocking. If it accepts nothing (full disk, stalled reader),
 * lines are queued up to a limit and then dropped, so the log can neither crash the service nor keep it from stopping.
 */
export function createOutput(fd: number): { write(line: string): void } {
  let queued = "";
  let bytes = Buffer.alloc(0);
  let state: "idle" | "writing" | "failed" = "idle";

  function next(): void {
    if (bytes.length === 0) {
      bytes = Buffer.from(queued);
      queued = "";
    }
    state = bytes.length > 0 ? "writing" : "idle";
    if (state === "idle") return;
    write(fd, bytes, (error, written) => {
      if (error) {
        state = "failed";
        setTimeout(next, retryMs).unref();
      } else {
        bytes = bytes.subarray(written);
        next();
      }
    });
  }

  process.once("exit", () => {
    // A write in progress completes; the queue gets one attempt.
    try {
      if (state === "failed") writeSync(fd, bytes);
      writeSync(fd, queued);
    } catch {}
  });

  return {
    write(line) {
      if (queued.length + line.length > maxQueued) return;
      queued += line;
      if (state === "idle") next();
    },
  };
}
