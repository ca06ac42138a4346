import fc from "fast-check";
import { expect, it } from "vitest";
import { emptyHostSet, HostSetBuilder } from "../../../src/safety/screening/host-set.ts";

async function setOf(names: readonly string[]) {
  const builder = new HostSetBuilder(names.reduce((sum, name) => sum + name.length + 1, 0));
  for (const name of names) builder.add(name);
  return builder.build();
}

/** The simplest implementation */
function naivelyCovers(names: ReadonlySet<string>, host: string): boolean {
  const labels = host.replace(/\.$/, "").split(".");
  return labels.some((_, at) => names.has(labels.slice(at).join(".")));
}

/** Few letters, so that names are often equal, each other's parents, or each other's endings. */
const label = fc.string({ unit: fc.constantFrom("a", "b", "-"), minLength: 1, maxLength: 4 });
const host = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join("."));

it("a host set covers what a Set of strings covers, and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(host, { maxLength: 300 }),
      fc.array(host, { maxLength: 300 }),
      async (listed, asked) => {
        const names = new Set(listed);
        const hosts = await setOf(listed);
        expect(hosts.size).toBe(names.size);
        for (const each of [...listed, ...asked]) {
          expect([each, hosts.covers(each)]).toEqual([each, naivelyCovers(names, each)]);
          expect(hosts.covers(`${each}.`)).toBe(naivelyCovers(names, each));
        }
      },
    ),
  );
});

it("the same holds for a hundred thousand names, many of them listed twice", async () => {
  const numbers = Array.from({ length: 100_000 }, (_, index) => Math.imul(index, 0x9e3779b1) >>> 0);
  const listed = numbers.map((number) => `${(number % 80_000).toString(36)}.bad.example`);
  const names = new Set(listed);
  const hosts = await setOf(listed);
  expect(hosts.size).toBe(names.size);
  const asked = numbers.flatMap((number) => [
    `${(number % 160_000).toString(36)}.bad.example`,
    `www.${(number % 160_000).toString(36)}.bad.example`,
  ]);
  expect(asked.filter((each) => hosts.covers(each) !== naivelyCovers(names, each))).toEqual([]);
});

it("a listed name covers names below it, and no name that only ends the same", async () => {
  const hosts = await setOf(["bad.example", "zip"]);
  const asked = [
    "bad.example",
    "a.b.bad.example",
    "a.zip",
    "notbad.example",
    "example",
    "bad.example.org",
    "",
    ".",
  ];
  expect(asked.filter((each) => hosts.covers(each))).toEqual(["bad.example", "a.b.bad.example", "a.zip"]);
});

it("a name of 253 characters is found, and a longer one is none", async () => {
  const longest = `${"a".repeat(249)}.com`;
  const hosts = await setOf([longest]);
  expect(hosts.covers(longest)).toBe(true);
  expect(hosts.covers(`a.${longest}`)).toBe(false);
  expect(hosts.covers("a".repeat(100_000))).toBe(false);
});

it("an empty and a released set cover nothing", async () => {
  const hosts = await setOf(["bad.example"]);
  hosts.release();
  expect([emptyHostSet, await setOf([]), hosts].map((each) => each.covers("bad.example"))).toEqual([
    false,
    false,
    false,
  ]);
});
