import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";

it("the whole client is at most 8 KB compressed, and imports nothing", async () => {
  const build = await rolldown({ input: join(import.meta.dirname, "../src/index.ts"), platform: "neutral" });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const [{ code, imports }] = output;
  expect(output).toHaveLength(1);
  expect(imports).toEqual([]);
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(8 * 1024);
});
