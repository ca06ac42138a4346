#!/usr/bin/env node
import { run } from "./run.ts";

// A reader such as `head` may close the pipe before everything is written.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});
// oxlint-disable-next-line node/no-process-env -- the program's own entry
process.exitCode = await run(process.argv.slice(2), process.env);
