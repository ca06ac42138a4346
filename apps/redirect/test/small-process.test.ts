import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const run = (program: string) =>
  execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" }).trim();
const urlOf = (file: string) => JSON.stringify(import.meta.resolve(file));

describe("a process that only redirects", () => {
  it("makes no formatter while it starts: each takes a megabyte or two", () => {
    const made = run(`
      for (const name of ["DateTimeFormat", "ListFormat", "NumberFormat", "Segmenter"])
        Intl[name] = new Proxy(Intl[name], {
          construct(target, args) {
            console.log(name);
            return new target(...args);
          },
        });
      await import(${urlOf("../src/index.ts")});
      new Intl.NumberFormat("en");`);
    expect(made).toBe("NumberFormat");
  });

  it("gives back what only its start needed", () => {
    const [before = 0, after = 0] = run(`
      import { getHeapStatistics } from "node:v8";
      import { forgetStart } from ${urlOf("../src/small-process.ts")};
      let made = Array.from({ length: 200_000 }, (_, at) => ({ at }));
      console.log(getHeapStatistics().total_heap_size);
      made = undefined;
      forgetStart();
      console.log(getHeapStatistics().total_heap_size);`)
      .split("\n")
      .map(Number);
    expect(after).toBeLessThan(before / 2);
    expect(
      run(`import { forgetStart } from ${urlOf("../src/small-process.ts")};
      forgetStart();
      console.log(typeof gc);`),
    ).toBe("undefined");
  });
});
