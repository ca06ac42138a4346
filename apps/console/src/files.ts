import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { withConsole } from "./build.ts";

/** One file of the console, as it is sent. */
export interface ConsoleFile {
  readonly body: Buffer<ArrayBuffer>;
  /** The body in brotli (RFC 7932); null if it would not be smaller */
  readonly brotli: Buffer<ArrayBuffer> | null;
  readonly type: string;
}

/** The console's files by path, such as `/assets/index-1a2b3c.js`; `/` is its page. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** Reads the console into memory; builds it first if its sources have changed. */
export const loadConsole = (): Promise<ConsoleFiles> => withConsole(readAll);

async function readAll(folder: string): Promise<ConsoleFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".br"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const files = await Promise.all(
    names.map(async (name) => [pathOf(name), await read(folder, name)] as const),
  );
  return new Map(files);
}

const pathOf = (name: string) => (name === "index.html" ? "/" : `/${name.replaceAll("\\", "/")}`);

async function read(folder: string, name: string): Promise<ConsoleFile> {
  const body = await readFile(join(folder, name));
  const brotli = await readFile(join(folder, `${name}.br`)).catch(() => null);
  return {
    body,
    brotli: brotli && brotli.length < body.length ? brotli : null,
    type: types[extname(name)] ?? "application/octet-stream",
  };
}
