import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { csvCell, csvRow, fromInert, inert } from "../src/csv.ts";

it.each([
  ["a formula", "=1+1", "'=1+1"],
  ["one after a list separator", "a;=1+1", "a;'=1+1"],
  ["one after a list separator and blanks", "a; \u00A0=1", "a;'\u0020\u00A0=1"],
  ["a full-width one", "＝1+1", "'＝1+1"],
  ["another full-width one", "x\n＠SUM(1)", "x\n'＠SUM(1)"],
  ["one after a zero-width space", "\u200B=1", "'\u200B=1"],
  ["one after a word joiner and a variation selector", "\u2060\uFE0F-1", "'\u2060\uFE0F-1"],
  ["one after a byte-order mark", "\uFEFF@x", "'\uFEFF@x"],
  ["one after a null character", "\0+1", "'\0+1"],
  ["one after a tab", "\t=1", "'\t'=1"],
  ["one after a tab within", "a\t=1", "a\t'=1"],
  ["a tab", "\ta", "'\ta"],
  ["one on another line", "a\r\n=1", "a\r\n'=1"],
  ["one behind an apostrophe", "'=1", "''=1"],
])("makes %s inert, and takes that back", (_, text, expected) => {
  expect(inert(text)).toBe(expected);
  expect(fromInert(expected)).toBe(text);
});

it.each(["a=1", "a\tb", "a; b", "it's", "'quoted'", "https://example.com/?a=1&b=-2", "1-2", "ä", ""])(
  "leaves %j as it is",
  (text) => {
    expect(inert(text)).toBe(text);
    expect(fromInert(text)).toBe(text);
  },
);

it("texts of all these characters come back, and begin no cell with a formula in any list separator", () => {
  const characters = ["=", "＝", "-", "'", ";", "\t", "\r", "\n", ",", '"', " ", "\u200B", "a"];
  let state = 1;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: random(9) }, () => characters[random(characters.length)]).join("");
    expect(fromInert(inert(text))).toBe(text);
    const row = csvRow(["x", text, "y"]);
    expect(parse(row)).toEqual([["x", inert(text), "y"]]);
    for (const cell of row.split(/[;\t\r\n]/).slice(1)) expect(cell).not.toMatch(/^["\s\u200B]*[=＝-]/);
  }
});

it("quotes what has separators or quotes", () => {
  expect(csvCell('a,"b"')).toBe('"a,""b"""');
  expect(csvRow(["a", 1, null, false])).toBe("a,1,,false\r\n");
});
