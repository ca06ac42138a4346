/** Bytes of a file to text; pure. */

export type Decoded = { text: string } | { refusal: string };

const utf8Fix = 'save it as UTF-8 (in Excel: "CSV UTF-8")';

/** Other kinds of files, by their first bytes. */
const kinds: readonly (readonly [start: readonly number[], refusal: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], "is a workbook (.xlsx, .ods) or a ZIP archive; save its sheet as CSV UTF-8"],
  [[0xd0, 0xcf, 0x11, 0xe0], "is a workbook of Excel (.xls); save its sheet as CSV UTF-8"],
  [[0x1f, 0x8b], "is compressed; send it uncompressed"],
  [[0x25, 0x50, 0x44, 0x46], "is a PDF; export the links as CSV or JSON"],
];

/** Reads UTF-8, and UTF-16 with a byte-order mark. Refuses everything else, with the encoding that it looks like. */
export function decodeFile(bytes: Uint8Array): Decoded {
  const kind = kinds.find(([start]) => start.every((byte, at) => bytes[at] === byte));
  if (kind) return { refusal: kind[1] };
  const encoding = markOf(bytes) ?? "utf-8";
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const refusal =
      encoding === "utf-8"
        ? `is not UTF-8; it looks like ${guess(bytes)}`
        : `is not valid ${encoding.toUpperCase()}`;
    return { refusal: `${refusal}: ${utf8Fix}` };
  }
  const refusal = refusalOfText(text);
  return refusal === null ? { text } : { refusal };
}

/** The kind of a text that is not a list of links; null if it may be one. */
export function refusalOfText(text: string): string | null {
  const head = text
    .slice(0, 1000)
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (head.startsWith("PK\u0003\u0004")) return kinds[0]?.[1] ?? null;
  if (text.slice(0, 4096).includes("\0")) return `looks like UTF-16 without a byte-order mark: ${utf8Fix}`;
  if (/^<!doctype netscape-bookmark/i.test(head))
    return "is a file of bookmarks, which is not read; put the URLs on a line each";
  if (/^<(?:!doctype html|html|head|body)/i.test(head))
    return "is an HTML page; export the links as CSV or JSON";
  if (/^<(?:\?xml|[a-z!])/i.test(head)) return "is XML; export the links as CSV or JSON";
  if (/^(?:--[ \t\r\n]|\/\*|(?:insert\s+into|create\s+table|drop\s+table|set\s+names)\s)/i.test(head))
    return "is an SQL dump; export the table of the links as CSV, or use `admin import` on the server";
  return null;
}

function markOf([a, b]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : null;
}

/** Names the encoding of bytes that are not UTF-8. */
function guess(bytes: Uint8Array): string {
  const head = bytes.subarray(0, 64 * 1024);
  const count = (test: (byte: number) => boolean) => head.reduce((sum, byte) => sum + Number(test(byte)), 0);
  if (count((byte) => byte === 0) > 0) return "UTF-16 without a byte-order mark";
  // A text in a Latin script has few letters beyond ASCII.
  if (count((byte) => byte >= 0x80) > head.length / 3) return "an encoding of another script than Latin";
  return count((byte) => byte >= 0x80 && byte < 0xa0) > 0 ? "Windows-1252" : "Windows-1252 or ISO 8859-1";
}
