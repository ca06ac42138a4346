import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLinks, openDatabase } from "./database.ts";
import { startPinned } from "./processes.ts";
import { wrk } from "./wrk.ts";

const links = 100_000;

/** Measures a hundred thousand cached plain links: heap bytes per link, and the process's resident memory. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const database = await openDatabase();
  await makeLinks(database, links);
  const paths = join(folder, "paths.txt");
  const start = () =>
    startPinned(
      "redirect-process.ts",
      [database.url, join(folder, "clicks"), "http://short.test"],
      ["--expose-gc"],
    );
  // The first process fills the compile cache when it exits; the second one is measured.
  await (await start()).stop();
  const product = await start();
  const read = async () => {
    const { routes, heap, rss } = await product.ask("stats");
    return { routes: Number(routes), heap: Number(heap), rss: Number(rss) };
  };

  await wrk(product.port, "/a0", 2);
  const before = await read();
  let after = await read();
  while (after.routes < links) {
    // Those that are not cached yet come first: a slow machine does not get through all of them in one round.
    const order = Array.from({ length: links }, (_, at) => `/a${(after.routes + at) % links}`);
    writeFileSync(paths, order.join("\n"));
    await wrk(product.port, "/", 5, paths);
    after = await read();
  }
  const each = (after.heap - before.heap) / (after.routes - before.routes);
  console.log(`${after.routes.toLocaleString("en")} cached plain links`);
  console.log(`  heap per link                ${Math.round(each)} bytes`);
  console.log(`  resident, before and after   ${mebibytes(before.rss)} and ${mebibytes(after.rss)}`);
  await product.stop();
  await database.close();
  rmSync(folder, { recursive: true });
}

const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
