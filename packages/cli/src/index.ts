/** What the build and the generated documents need of the program. */
export { commandTable, manualPage } from "./manual.ts";
