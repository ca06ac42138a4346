import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const features = join(import.meta.dirname, "../src/features");
const featureOf = (file: string) => file.split("/")[0] ?? "";

/** Each file of a feature with each file of another feature that it imports. */
const crossings = globSync("**/*.{ts,tsx}", { cwd: features, exclude: ["**/*.test.tsx"] }).flatMap((file) => {
  const imports = readFileSync(join(features, file), "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g);
  return [...new Set([...imports].map(([, path = ""]) => join(dirname(file), path)))]
    .filter((target) => !target.startsWith("..") && featureOf(target) !== featureOf(file))
    .map((target) => ({ file, target }));
});

it("features import little from each other: what several need is in the kit", () => {
  const shown = crossings.map(({ file, target }) => `${file} imports ${target}`);
  expect(shown.length, shown.join("\n")).toBeLessThan(20);
});

it("no feature imports another one that needs it", () => {
  const reached = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const { file, target } of crossings) {
      if (featureOf(file) !== from || seen.has(featureOf(target))) continue;
      seen.add(featureOf(target));
      reached(featureOf(target), seen);
    }
    return seen;
  };
  const names = new Set(crossings.map(({ file }) => featureOf(file)));
  expect(names.size).toBeGreaterThan(3);
  expect([...names].filter((name) => reached(name).has(name))).toEqual([]);
});
