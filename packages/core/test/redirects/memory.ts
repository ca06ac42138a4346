/** Resolves the links `…1` to `…<count>` with long queries behind them, and prints the heap's bytes for each. */
import { createCore } from "../../src/index.ts";

const [, , databaseUrl = "", count = "0"] = process.argv;
const visitor = { country: () => null, id: () => "" };
const core = await createCore({ databaseUrl, shortBase: "http://short.test" });
core.redirects.watch();
while (!core.redirects.stats().watched) await new Promise((resolve) => setTimeout(resolve, 5));

async function resolveAll(from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        // As a server cuts it out of a request's URL.
        const request = Buffer.from(`/a-slug-of-some-length-${at + index}?${"q".repeat(4000)}`).toString();
        const resolve = () =>
          core.redirects.resolve("short.test", request.slice(1, request.indexOf("?")), visitor);
        return resolve().catch(resolve); // a busy machine's database may let one wait for too long
      }),
    );
  }
}

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

// What code and connections take is not the cache's.
await resolveAll(1, 2000);
const before = { heap: heap(), routes: core.redirects.stats().routes };
await resolveAll(2001, Number(count));
const { routes, bytes } = core.redirects.stats();
const perRoute = Math.round((heap() - before.heap) / (routes - before.routes));
console.log(JSON.stringify({ routes, perRoute, estimated: Math.round(bytes / routes) }));
await core.close();
