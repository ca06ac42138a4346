import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./compare.ts";
import { makeLinks, openDatabase } from "./database.ts";
import { startPinned } from "./processes.ts";
import { wrk } from "./wrk.ts";

const edits = 200;

/** Measures how long another process takes to see an edit, when idle and under full load. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const database = await openDatabase();
  await makeLinks(database, 1000);
  const product = await startPinned("redirect-process.ts", [
    database.url,
    join(folder, "clicks"),
    "http://short.test",
  ]);
  const { links } = database.core.caller({
    kind: "account",
    account: database.account,
    credential: "internal",
  });
  const { data } = await links.list({ search: "a999" });
  const link = data[0];
  if (!link) throw new Error("The link is gone");

  const edit = async (at: number): Promise<number> => {
    const url = `https://example.com/edit/${at}-${Date.now()}`;
    await links.update({ id: link.id, url });
    const committed = performance.now();
    while ((await locationOf(product.port, `/${link.slug}`)) !== url) await sleep(1);
    return performance.now() - committed;
  };
  const measure = async (name: string) => {
    const times: number[] = [];
    for (let at = 0; at < edits; at++) {
      times.push(await edit(at));
      if (process.stderr.isTTY) process.stderr.write(`\r  ${name}: ${at + 1} of ${edits}\r`);
    }
    const worst = Math.max(...times);
    console.log(`  ${name.padEnd(28)} median ${median(times).toFixed(1)} ms, worst ${worst.toFixed(1)} ms`);
    return median(times);
  };

  console.log(`${edits} edits, until another process sees them`);
  const alone = await measure("without load");
  let loading = true;
  const load = (async () => {
    while (loading) await wrk(product.port, "/a0", 2);
  })();
  const loaded = await measure("under full load");
  loading = false;
  await load;
  console.log(`  ${"ratio".padEnd(28)} ${(loaded / alone).toFixed(1)}`);
  await product.stop();
  await database.close();
  rmSync(folder, { recursive: true });
}

function locationOf(port: number, path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, headers: { host: "short.test" } }, (response) => {
      response.resume();
      resolve(response.headers.location);
    });
    sent.on("error", reject);
    sent.end();
  });
}
