#!/usr/bin/env node
import { run } from "./run.ts";

// oxlint-disable-next-line node/no-process-env -- the program's own entry
process.exitCode = await run(process.argv.slice(2), process.env);
