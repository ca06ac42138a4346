import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "docs/SECURITY.md"), "utf8");
const rows = [...text.matchAll(/^\| (\d[\d., ]*) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, ids = "", , met = "", how = ""]) => ({ ids: ids.split(", "), met, how }),
);

it("answers every requirement of ASVS 5.0, Level 2, once", () => {
  const ids = rows.flatMap((row) => row.ids);
  expect(ids).toHaveLength(253);
  expect(new Set(ids).size).toBe(253);
  for (const { met, how } of rows) {
    expect(["yes", "partly", "no", "operator", "–"]).toContain(met);
    expect(how.length).toBeGreaterThan(3);
  }
});

it("names test files that exist", () => {
  const named = rows.flatMap(({ how }) => how.match(/`[a-z]+\/[\w./-]+`/g) ?? []);
  expect(named.length).toBeGreaterThan(100);
  for (const name of named.map((quoted) => quoted.slice(1, -1))) {
    const [folder, ...rest] = name.split("/");
    const places = ["apps", "packages"].map((kind) =>
      join(root, kind, String(folder), "test", `${rest.join("/")}.test.ts`),
    );
    expect([name, [join(root, name), ...places].some(existsSync)]).toEqual([name, true]);
  }
});
