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
        // A substring of the request's URL, as in the server.
        const request = Buffer.from(`/a-slug-of-some-length-${at + index}?${"q".repeat(4000)}`).toString();
        const resolve = () =>
          core.redirects.resolve("short.test", request.slice(1, request.indexOf("?")), visitor);
        return resolve().catch(resolve); // on a busy machine one may time out
      }),
    );
  }
}

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

// Warm up: code and connections do not count as the cache's memory.
await resolveAll(1, 2000);
const before = { heap: heap(), routes: core.redirects.stats().routes };
await resolveAll(2001, Number(count));
const { routes, bytes } = core.redirects.stats();
const perRoute = Math.round((heap() - before.heap) / (routes - before.routes));
console.log(JSON.stringify({ routes, perRoute, estimated: Math.round(bytes / routes) }));
await core.close();
