import { openSource } from "../../import/source.ts";

/** How the text of a dump is read. */
export interface DumpText {
  /** Its text, from the start each time */
  pieces(): AsyncIterable<string>;
  /** What to tell before an import; null if nothing */
  remark: string | null;
}

/** MySQL's latin1 is Windows-1252. */
const latin = /set\s+names\s+'?(?:latin1|cp1252)\b/i;
const headBytes = 64 * 1024;

/** Opens a dump in its encoding: UTF-8, UTF-16 with a byte-order mark, or Windows-1252. Reads the file once to find it out. */
export async function openDumpText(file: string, interrupt: AbortSignal): Promise<DumpText> {
  const { encoding, remark } = await encodingOf(file, interrupt);
  return {
    remark,
    async *pieces() {
      const bytes = await openSource(file, interrupt);
      const decoder = new TextDecoder(encoding);
      for await (const piece of bytes) yield decoder.decode(piece, { stream: true });
      yield decoder.decode();
    },
  };
}

async function encodingOf(
  file: string,
  interrupt: AbortSignal,
): Promise<{ encoding: string; remark: string | null }> {
  const bytes = await openSource(file, interrupt);
  const decoder = new TextDecoder("utf-8");
  let head = Buffer.alloc(0);
  let broken = 0;
  let whole = 0;
  for await (const piece of bytes) {
    if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)]);
    const marked = markOf(head);
    if (marked !== null) return { encoding: marked, remark: null };
    for (const [character] of decoder.decode(piece, { stream: true }).matchAll(/[^\p{ASCII}]/gu)) {
      if (character === "\uFFFD") broken += 1;
      else whole += 1;
    }
  }
  if (broken === 0) return { encoding: "utf-8", remark: null };
  if (!latin.test(head.toString("latin1")) && whole > broken)
    return { encoding: "utf-8", remark: cut(broken) };
  return { encoding: "windows-1252", remark: asLatin };
}

function markOf([a, b]: Uint8Array): string | null {
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : null;
}

const asLatin =
  "Texts in another encoding: the file is not UTF-8 and is read as Windows-1252 (latin1). Check titles with --dry-run and --result first.";

const cut = (broken: number) =>
  `Broken characters: ${broken} are not valid UTF-8. They are left out of titles; a link whose destination has one is refused.`;
