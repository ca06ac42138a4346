import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";

/** The packages that importing a file loads, itself the workspace's. */
function packagesLoadedBy(file: string): string[] {
  const program = `
    import { registerHooks } from "node:module";
    const urls = new Set();
    registerHooks({ load: (url, context, next) => (urls.add(url), next(url, context)) });
    await import(${JSON.stringify(import.meta.resolve(file))});
    console.log([...urls].join("\\n"));`;
  const urls = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  const names = [...urls.matchAll(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map(([, name = ""]) => name);
  return [...new Set(names)];
}

const heavy = ["@mikro-orm/core", "@mikro-orm/postgresql", "kysely", "temporal-polyfill", "qrcode"];
/** The whole core loads it when it first checks the name of a domain. */
const late = "tldts";

describe("the core of a process that only redirects", () => {
  it("loads neither the ORM nor what only procedures need", () => {
    const loaded = packagesLoadedBy("../src/redirect.ts");
    expect(loaded).toContain("pg");
    expect(loaded.filter((name) => name === late || heavy.includes(name))).toEqual([]);
  });

  it("is a part of the whole core, which loads all of that", () => {
    const loaded = packagesLoadedBy("../src/index.ts");
    expect(loaded).toEqual(expect.arrayContaining(heavy));
    expect(loaded).not.toContain(late);
  });
});
