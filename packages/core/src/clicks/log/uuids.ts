/** A power of two. */
const places = 16_384;
/** Those that were read last, in words of 32 bits, and their texts: 2 MB. */
const words = new Int32Array(4 * places);
const texts = Array.from<string | undefined>({ length: places });

/**
 * The text of the UUID at an offset. Most clicks are on links that were clicked before: the same string again is found sooner than a
 * new one is made, and looking it up is quicker too.
 */
export function uuidAt(bytes: Buffer, at: number): string {
  const a = bytes.readInt32LE(at);
  const b = bytes.readInt32LE(at + 4);
  const c = bytes.readInt32LE(at + 8);
  const d = bytes.readInt32LE(at + 12);
  // The end is random. Of UUIDs with the same place, the latest one is kept.
  const place = (d >>> 16) & (places - 1);
  const known = texts[place];
  const first = 4 * place;
  if (
    known !== undefined &&
    words[first] === a &&
    words[first + 1] === b &&
    words[first + 2] === c &&
    words[first + 3] === d
  )
    return known;
  words.set([a, b, c, d], first);
  const hex = bytes.toString("hex", at, at + 16);
  const text = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  texts[place] = text;
  return text;
}
