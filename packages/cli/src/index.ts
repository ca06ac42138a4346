/** The interface for the build, the generated documents and programs that contain this one. */
export type { Command, Group, Invocation, Option, Program } from "./command.ts";
export { UsageError } from "./command.ts";
export { program } from "./commands/index.ts";
export { commandTable, manualPage } from "./manual.ts";
export { serverJson } from "./mcp/server-json.ts";
export { run } from "./run.ts";
