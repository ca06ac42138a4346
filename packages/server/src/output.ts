import { write, writeSync } from "node:fs";

/** Characters that may wait; lines past that are lost. */
const mostWaiting = 1024 * 1024;
const retryMs = 100;

/**
 * Writes lines to a file descriptor, in order and without holding anybody up. While it takes nothing, as on a full disk
 * or where nobody reads, some lines wait and further ones are lost: no service ends, or fails to end, over its log.
 */
export function createOutput(fd: number): { write(line: string): void } {
  let waiting = "";
  let bytes = Buffer.alloc(0);
  let state: "idle" | "writing" | "failed" = "idle";

  function next(): void {
    if (bytes.length === 0) {
      bytes = Buffer.from(waiting);
      waiting = "";
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
    // What is being written gets there; what waits gets one try.
    try {
      if (state === "failed") writeSync(fd, bytes);
      writeSync(fd, waiting);
    } catch {}
  });

  return {
    write(line) {
      if (waiting.length + line.length > mostWaiting) return;
      waiting += line;
      if (state === "idle") next();
    },
  };
}
