import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** One file of the console, as it is sent. */
export interface ConsoleFile {
  readonly body: Buffer<ArrayBuffer>;
  /** The body in brotli (RFC 7932); null if it would not be smaller */
  readonly brotli: Buffer<ArrayBuffer> | null;
  readonly type: string;
}

/** The console's files. */
export interface ConsoleFiles {
  /** Scripts and styles by path, such as `/assets/main-1a2b3c.js`; another content has another path */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
  /** By the code of a language, such as `de` */
  readonly byLanguage: ReadonlyMap<string, ConsolePages>;
}

/** The console's pages in a language. */
export interface ConsolePages {
  /** The page of each screen by its path, such as `/links/:id` */
  readonly pages: ReadonlyMap<string, ConsoleFile>;
  /** The page of every screen for visitors who are not signed in */
  readonly signIn: ConsoleFile;
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** Only beside a built program: its console was built with it. */
const built = join(import.meta.dirname, "console");

/** Reads the console into memory; in a checkout, builds it first if its sources have changed. */
export async function loadConsole(): Promise<ConsoleFiles> {
  if (existsSync(built)) return readAll(built);
  const { withConsole } = await import("./build.ts");
  return withConsole(readAll);
}

async function readAll(folder: string): Promise<ConsoleFiles> {
  const pathOfPage = (name: string) => decodeURIComponent(name.slice(0, -".html".length));
  const languages = (await readdir(folder)).filter((name) => name !== "assets");
  return {
    assets: await readFolder(join(folder, "assets"), (name) => `/assets/${name}`),
    byLanguage: new Map(
      await Promise.all(
        languages.map(async (code): Promise<[string, ConsolePages]> => {
          const pages = await readFolder(join(folder, code, "pages"), pathOfPage);
          return [code, { pages, signIn: await read(join(folder, code), "sign-in.html") }];
        }),
      ),
    ),
  };
}

async function readFolder(folder: string, pathOf: (name: string) => string) {
  const names = new Set((await readdir(folder)).map((name) => name.replace(/\.br$/, "")));
  return new Map(
    await Promise.all([...names].map(async (name) => [pathOf(name), await read(folder, name)] as const)),
  );
}

async function read(folder: string, name: string): Promise<ConsoleFile> {
  const brotli = await readFile(join(folder, `${name}.br`)).catch(() => null);
  const plain = await readFile(join(folder, name)).catch(() => null);
  const body = plain ?? Buffer.from(await promisify(brotliDecompress)(brotli ?? Buffer.alloc(0)));
  return {
    body,
    brotli: brotli && brotli.length < body.length ? brotli : null,
    type: types[extname(name)] ?? "application/octet-stream",
  };
}
