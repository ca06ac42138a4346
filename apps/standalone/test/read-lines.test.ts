import { describe, expect, test } from "vitest";
import type { Line } from "../src/import/line.ts";
import { readLines } from "../src/import/read-lines.ts";

/** Reads a text that arrives in pieces of so many bytes. */
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
  test("is read a line at a time, blank ones skipped and counted, whatever ends them", async () => {
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

  test("keeps characters whole that arrive in two pieces", async () => {
    expect(urls(await read("https://é.example/😀\n", 3))).toEqual([[1, "https://é.example/😀"]]);
  });

  test("ends at a line that goes on past all bounds", async () => {
    const lines = await read(`https://a\n${"x".repeat(3_000_000)}\nhttps://b`);
    expect(lines).toMatchObject([{ url: "https://a" }, { line: 2, fault: /too long/ }]);
  });

  test("that is not UTF-8 is refused with what to do", async () => {
    for (const text of [Buffer.from("https://é", "latin1"), Buffer.from("\uFEFFhttps://a", "utf16le")]) {
      await expect(read(text)).rejects.toThrow(/not UTF-8 text: save it as UTF-8/);
    }
  });
});

describe("CSV", () => {
  test("has its columns in any order and any case, quoted or not", async () => {
    const [line] = await read(
      '\uFEFF\r\nTitle,"URL",domain,slug\r\n"One, ""two""",https://a,go.example,x\r\n',
    );
    const texts = { url: "https://a", slug: "x", title: 'One, "two"', domain: "go.example" };
    expect(line).toEqual({ line: 3, ...texts });
  });

  test("counts lines as an editor does, also after values of several lines", async () => {
    const text = 'url,title\r\n\r\nhttps://a,x\r\nhttps://b,"y\r\ny"\r\n\r\n  ,\r\nhttps://c,"z"';
    const expected = [
      [3, "https://a"],
      [4, "https://b"],
      [8, "https://c"],
    ];
    expect(urls(await read(text))).toEqual(expected);
    expect(urls(await read(text, 1))).toEqual(expected);
  });

  test("may leave values out at the end, but not have more than columns", async () => {
    const [short, long] = await read("url,slug\nhttps://a\nhttps://b,c,d\n");
    expect(short).toMatchObject({ url: "https://a", slug: "" });
    expect(short).not.toHaveProperty("fault");
    expect(long).toMatchObject({ line: 3, fault: expect.stringMatching(/3 values for 2 columns/) });
  });

  test("takes quotes within an unquoted value as they are", async () => {
    expect(urls(await read('url\nhttps://a/?q="b"\n'))).toEqual([[2, 'https://a/?q="b"']]);
  });

  test("keeps what stands before a quote that never closes, and names the line where it opens", async () => {
    for (const end of ["", "\n", "\n\n"]) {
      const lines = await read(`url,title\nhttps://a,\n\nhttps://b,"never\nhttps://c,\nhttps://d,${end}`);
      expect(lines).toMatchObject([
        { line: 2, url: "https://a" },
        { line: 4, fault: expect.stringMatching(/never closes/) },
      ]);
    }
  });

  test.each([
    ["slug,title\na,b", /does not name url/],
    ["url,titel\na,b", /unknown column "titel"/],
    ["url,slug,URL\na,b,c", /names url twice/],
  ])("with a header of no use is refused: %j", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});
