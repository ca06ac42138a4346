/** Resolves the links `…1` to `…<count>` with long queries behind them, and prints the heap's bytes for each. */
import { createCore } from "../../src/index.ts";

const [, , databaseUrl = "", count = "0"] = process.argv;
const visitor = { country: () => null, id: () => "" };
const core = await createCore({ databaseUrl, shortBase: "http://short.test" });
core.redirects.watch();
while (!core.redirects.stats().watched) await new Promise((resolve) => setTimeout(resolve, 5));

/** On a busy machine a look-up may time out, or its route not be cached, since changes may have been missed meanwhile. */
async function resolveOne(number: number): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    // A substring of the request's URL, as in the server.
    const request = Buffer.from(`/a-slug-of-some-length-${number}?${"q".repeat(4000)}`).toString();
    const slug = request.slice(1, request.indexOf("?"));
    await core.redirects.resolve("short.test", slug, visitor).catch(() => {});
    if (core.redirects.peek(slug, Date.now()) !== null) return;
  }
}

async function resolveAll(from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => resolveOne(at + index)));
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
