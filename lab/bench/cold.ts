import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare } from "./compare.ts";
import { makeLinks, openDatabase } from "./database.ts";
import { startPinned } from "./processes.ts";
import { wrk } from "./wrk.ts";

const links = 100_000;
/** Of these, links that only warm a process up */
const warming = 30_000;
const seconds = 2;

/**
 * Compares redirects of uncached links to a server that only reads each one from the database: in a new process, most of whose code
 * is not compiled yet, and in one that has answered for a while.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const database = await openDatabase();
  await makeLinks(database, links);
  const pathsOf = (name: string, from: number, to: number) => {
    const file = join(folder, name);
    writeFileSync(file, Array.from({ length: to - from }, (_, at) => `/a${from + at}`).join("\n"));
    return file;
  };
  const warmUp = pathsOf("warm-up.txt", 0, warming);
  const paths = pathsOf("paths.txt", warming, links);

  const measure = async (file: string, args: string[], isWarm: boolean) => {
    const server = await startPinned(file, args);
    if (isWarm) await wrk(server.port, "/", seconds, warmUp);
    const { perSecond } = await wrk(server.port, "/", seconds, paths);
    await server.stop();
    return perSecond;
  };
  for (const [isWarm, what] of [
    [false, "a new process each"],
    [true, `after ${seconds} s with other links`],
  ] as const) {
    console.log(`Uncached links, ${seconds} s per round, ${what}`);
    await compare({
      unit: "redirects/s",
      rounds: 5,
      baseline: {
        name: "bare select and 302",
        round: () => measure("bare-select-process.ts", [database.url], isWarm),
      },
      product: {
        name: "Terse, counting",
        round: () =>
          measure("redirect-process.ts", [database.url, join(folder, "clicks"), "http://short.test"], isWarm),
      },
    });
  }
  await database.close();
  rmSync(folder, { recursive: true });
}
