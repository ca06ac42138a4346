import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Returns ports that stay free until a service listens on them: below 32768, where the system assigns none, from a range
 * of this worker of this test run.
 */
const first = 10_000 + ((process.ppid * 7 + Number(process.env.VITEST_POOL_ID ?? 0)) % 220) * 100;
const free: number[] = [];
const refused = 10_080; // no fetch may ask it (WHATWG Fetch, "bad port")
for (let port = first; port < first + 100; port++) {
  if (port !== refused && (await isFree(port))) free.push(port);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port), "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** The next port of the range, which begins again after about a hundred: what used them has ended by then. */
export function nextPort(): string {
  const port = free.shift();
  if (port === undefined) throw new Error(`No port from ${first} on is free`);
  free.push(port);
  return String(port);
}
