import { runTerse } from "./run-terse.ts";

/** `terse admin`, the part of the command line that a built folder has. */
process.exitCode = await runTerse(["admin", ...process.argv.slice(2)]);
