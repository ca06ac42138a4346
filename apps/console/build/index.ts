export { copyConsole } from "./copy.ts";
export { type ConsoleFile, type ConsoleFiles, loadConsole } from "./files.ts";
