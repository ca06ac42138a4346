import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { tempFolder } from "@terse/testkit";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readHostList } from "../../../src/safety/screening/host-list.ts";

async function listOf(content: string | Uint8Array) {
  const path = join(await tempFolder(), "list.txt");
  await writeFile(path, content);
  return readHostList(path);
}

it("the three formats can be mixed in a file", async () => {
  const { hosts, skippedLines } = await listOf(
    [
      "# comment",
      "0.0.0.0 one.example",
      "two.example",
      "||three.example^",
      "*.four.example",
      "!",
      "what?",
      "",
    ].join("\r\n"),
  );
  expect(hosts.size).toBe(4);
  expect(skippedLines).toBe(1);
  for (const name of ["one", "two", "three", "four"]) expect(hosts.covers(`www.${name}.example`)).toBe(true);
});

it("a file of any size is read whole, wherever its lines are cut", async () => {
  const path = join(await tempFolder(), "list.txt");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (lengths, endsWithNewline) => {
        const lines = lengths.flatMap((length, index) => [
          `# ${"é".repeat(length)}`,
          `ü${index}.bad.example`,
        ]);
        await writeFile(path, lines.join("\n") + (endsWithNewline ? "\n" : ""));
        const { hosts } = await readHostList(path);
        expect(hosts.size).toBe(lengths.length);
        for (const index of lengths.keys()) {
          expect(hosts.covers(new URL(`http://ü${index}.bad.example`).hostname)).toBe(true);
        }
      },
    ),
    { numRuns: 30 },
  );
});

it("a line of a million characters names no host, and the next line does", async () => {
  const huge = `${"a".repeat(1_000_000)}.example`;
  const { hosts, skippedLines } = await listOf(`first.example\n${huge}\nlast.example`);
  expect([hosts.size, skippedLines]).toEqual([2, 1]);
  expect(hosts.covers("last.example")).toBe(true);
  expect((await listOf(`first.example\n${huge}`)).skippedLines).toBe(1);
});

it("hostile names are skipped", async () => {
  const letters = Array.from({ length: 5400 }, (_, index) => String.fromCharCode(0x4e00 + index)).join("");
  const { hosts, skippedLines } = await listOf(
    `${letters}.example\n||${letters}^\n0.0.0.0 ${letters}.x\ngood.example`,
  );
  expect([hosts.size, skippedLines]).toEqual([1, 3]);
});

it("other work gets its turns while a file is read", async () => {
  let turns = 0;
  let isReading = true;
  const turn = () => {
    turns += 1;
    if (isReading) setImmediate(turn);
  };
  setImmediate(turn);
  const { hosts } = await listOf(
    Array.from({ length: 100_000 }, (_, index) => `h${index}.bad.example`).join("\n"),
  );
  isReading = false;
  expect(hosts.size).toBe(100_000);
  expect(turns).toBeGreaterThan(100);
});

it.each<[string, string | Uint8Array, string]>([
  ["empty", "", "it is empty"],
  ["an error page", "<html>\n<h1>404</h1>\n</html>", "none of its lines names a host"],
  ["compressed", gzipSync("bad.example\n".repeat(1000)), "it is a binary file"],
])("a file that is %s is no host list", async (_, content, reason) => {
  await expect(listOf(content)).rejects.toThrow(reason);
});

it("a list of comments is a list without hosts", async () => {
  expect((await listOf("# nothing yet\n")).hosts.size).toBe(0);
});

it("a folder is no host list", async () => {
  const folder = await tempFolder();
  await expect(readHostList(folder)).rejects.toThrow("it is not a file");
});
