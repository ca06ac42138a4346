import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { depsOf } from "../helpers.ts";

const { core, databaseUrl, close } = await createTestCore();
afterAll(close);

it("a cached plain link takes at most 400 bytes, however long the requested URLs were", {
  timeout: 60_000,
}, async () => {
  const count = 20_000;
  await depsOf(core).pool.query(
    `insert into links (id, slug, destination, created_at, updated_at)
     select gen_random_uuid(), 'a-slug-of-some-length-' || i, 'https://www.example.com/articles/2026/' || i, now(), now()
     from generate_series(1, $1::int) i`,
    [count],
  );
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--expose-gc",
    join(import.meta.dirname, "memory.ts"),
    databaseUrl,
    String(count),
  ]);
  const { routes, perRoute, estimated } = JSON.parse(stdout);
  expect(routes).toBe(count);
  expect(perRoute).toBeLessThanOrEqual(400);
  // The cache applies its limit in bytes to this estimate.
  expect(estimated / perRoute).toBeGreaterThan(0.8);
  expect(estimated / perRoute).toBeLessThan(1.5);
});
