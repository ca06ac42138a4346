import { runTerse } from "./run-terse.ts";

process.exitCode = await runTerse(process.argv.slice(2));
