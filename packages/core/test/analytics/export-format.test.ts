import { describe, expect, it } from "vitest";
import { type Writer, writers } from "../../src/analytics/exports/rows.ts";
import { exportColumns } from "../../src/analytics/exports/cells.ts";

describe("a cell of CSV", () => {
  const cell = (text: string) => writers.csv.fragment([["slug", text]]).replace(",", "");
  it.each([
    ["plain", "plain"],
    ["", ""],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\nlines", '"two\nlines"'],
    ["two\r\nlines", '"two\r\nlines"'],
    ["🧀-käse", "🧀-käse"],
  ])("is quoted where RFC 4180 requires it: %j", (text, written) => expect(cell(text)).toBe(written));
  it.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-slug", "'-slug"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", "'\tx"],
    ["\rx", `"'\rx"`],
    ['=HYPERLINK("a","b")', `"'=HYPERLINK(""a"",""b"")"`],
    ["a=1", "a=1"],
  ])("is text for spreadsheets, not a formula: %j", (text, written) => expect(cell(text)).toBe(written));
});

describe("a file", () => {
  const cells = [
    ["slug", 'a"b'],
    ["domain", "\u2028"],
  ] as const;
  const row = ({ begin, afterTimestamp, fragment, end }: Writer, isUnique: boolean) =>
    `${begin}2026-11-21T00:00:00.000Z${afterTimestamp}${fragment(cells)}${fragment([["unique", isUnique]])}${fragment([["channel", "mail"]])}${end}`;
  it("of JSON is an array, with and without rows", () => {
    const { head, between, tail } = writers.json;
    expect(JSON.parse(head([]) + tail)).toEqual([]);
    const one = row(writers.json, true);
    const expected = {
      timestamp: "2026-11-21T00:00:00.000Z",
      slug: 'a"b',
      domain: "\u2028",
      unique: true,
      channel: "mail",
    };
    expect(JSON.parse(head([]) + one + between + one + tail)).toEqual([expected, expected]);
  });
  it("of CSV begins with the column names, and ends every line with CR LF", () => {
    const { head, between, tail } = writers.csv;
    expect(head(exportColumns)).toBe(
      "timestamp,link_id,slug,domain,destination,country,device,browser,os,referrer,unique,channel,utm_source,utm_medium,utm_campaign,utm_term,utm_content,bot,region,city\r\n",
    );
    expect(row(writers.csv, false) + between + tail).toBe(
      '2026-11-21T00:00:00.000Z,"a""b",\u2028,false,mail\r\n',
    );
  });
});
