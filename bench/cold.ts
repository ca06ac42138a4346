import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare } from "./compare.ts";
import { makeLinks, openDatabase } from "./database.ts";
import { startPinned } from "./processes.ts";
import { wrk } from "./wrk.ts";

const links = 100_000;
const seconds = 2;

/** Compares redirects of uncached links to a server that only reads each one from the database. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const database = await openDatabase();
  await makeLinks(database, links);
  const paths = join(folder, "paths.txt");
  writeFileSync(paths, Array.from({ length: links }, (_, at) => `/a${at}`).join("\n"));

  const measure = async (file: string, args: string[]) => {
    const server = await startPinned(file, args);
    const { perSecond } = await wrk(server.port, "/", seconds, paths);
    await server.stop();
    return perSecond;
  };
  console.log(`Uncached links, ${seconds} s per round, each with a new process`);
  await compare({
    unit: "redirects/s",
    rounds: 5,
    baseline: { name: "bare select and 302", round: () => measure("bare-select-process.ts", [database.url]) },
    product: {
      name: "Terse, counting",
      round: () =>
        measure("redirect-process.ts", [database.url, join(folder, "clicks"), "http://short.test"]),
    },
  });
  await database.close();
  rmSync(folder, { recursive: true });
}
