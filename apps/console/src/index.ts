export { type ConsoleFile, type ConsoleFiles, loadConsole } from "./files.ts";
