import { describe, expect, test } from "vitest";
import type { Line } from "../src/import/line.ts";
import { readLines } from "../src/import/read-lines.ts";

/** Reads a text that arrives in pieces of `size` bytes. */
async function read(text: string | Buffer, size = 64 * 1024): Promise<Line[]> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const lines: Line[] = [];
  for await (const line of readLines(pieces())) lines.push(line);
  return lines;
}
const urls = (lines: Line[]) => lines.map(({ line, url }) => [line, url]);

describe("a list of URLs", () => {
  test("is read line by line, with any line ending; blank lines are skipped but counted", async () => {
    const expected = [
      [1, "https://a"],
      [3, "https://b,c"],
      [5, 'https://d/"e"'],
    ];
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = ["\uFEFFhttps://a", "", "  https://b,c ", "   ", 'https://d/"e"'].join(end);
      expect(urls(await read(text))).toEqual(expected);
      expect(urls(await read(text + end, 1))).toEqual(expected);
    }
  });

  test("may be empty", async () => {
    expect(await read("")).toEqual([]);
    expect(await read("\r\n \n")).toEqual([]);
  });

  test("keeps characters intact that are split between pieces", async () => {
    expect(urls(await read("https://é.example/😀\n", 3))).toEqual([[1, "https://é.example/😀"]]);
  });

  test("ends at a line that is too long", async () => {
    const lines = await read(`https://a\n${"x".repeat(3_000_000)}\nhttps://b`);
    expect(lines).toMatchObject([{ url: "https://a" }, { line: 2, fault: /too long/ }]);
  });

  test("that is not UTF-8 is an error with advice", async () => {
    for (const text of [Buffer.from("https://é", "latin1"), Buffer.from("\uFEFFhttps://a", "utf16le")]) {
      await expect(read(text)).rejects.toThrow(/not UTF-8 text: save it as UTF-8/);
    }
  });
});

describe("CSV", () => {
  test("may have its columns in any order and case, quoted or not", async () => {
    const [line] = await read(
      '\uFEFF\r\nTitle,"URL",domain,Tags,slug\r\n"One, ""two""",https://a,go.example,a|b,x\r\n',
    );
    const texts = { url: "https://a", slug: "x", title: 'One, "two"', domain: "go.example", tags: "a|b" };
    expect(line).toEqual({ line: 3, ...texts });
  });

  test("counts lines as an editor does, even after multi-line values", async () => {
    const text = 'url,title\r\n\r\nhttps://a,x\r\nhttps://b,"y\r\ny"\r\n\r\n  ,\r\nhttps://c,"z"';
    const expected = [
      [3, "https://a"],
      [4, "https://b"],
      [8, "https://c"],
    ];
    expect(urls(await read(text))).toEqual(expected);
    expect(urls(await read(text, 1))).toEqual(expected);
  });

  test("may omit values at the end, but not have more values than columns", async () => {
    const [short, long] = await read("url,slug\nhttps://a\nhttps://b,c,d\n");
    expect(short).toMatchObject({ url: "https://a", slug: "" });
    expect(short).not.toHaveProperty("fault");
    expect(long).toMatchObject({ line: 3, fault: expect.stringMatching(/3 values for 2 columns/) });
  });

  test("keeps quotes inside an unquoted value", async () => {
    expect(urls(await read('url\nhttps://a/?q="b"\n'))).toEqual([[2, 'https://a/?q="b"']]);
  });

  test("keeps the lines before an unclosed quote, and names the line where it opens", async () => {
    for (const end of ["", "\n", "\n\n"]) {
      const lines = await read(`url,title\nhttps://a,\n\nhttps://b,"never\nhttps://c,\nhttps://d,${end}`);
      expect(lines).toMatchObject([
        { line: 2, url: "https://a" },
        { line: 4, fault: expect.stringMatching(/never closed/) },
      ]);
    }
  });

  test.each([
    ["slug,title\na,b", /does not name url/],
    ["url,titel\na,b", /unknown column "titel"/],
    ["url,slug,URL\na,b,c", /names url twice/],
  ])("with an invalid header is an error: %j", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});
