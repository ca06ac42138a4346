/** Members of a tar file: regular files with short names, in the format ustar (POSIX.1-1988), which every tar can read. */

export const blockBytes = 512;
const nameBytes = 100;

/** A member of a tar file. */
export interface Member {
  /** Path with `/`, ASCII, at most 100 bytes */
  name: string;
  /** Bytes of its content */
  size: number;
}

/** Returns a member's header, which is followed by its content and `paddingOf(size)`. */
export function tarHeader({ name, size }: Member, time: Date): Buffer {
  if (name.length > nameBytes) throw new RangeError(`The name of a tar member is too long: ${name}`);
  const block = Buffer.alloc(blockBytes);
  const field = (at: number, text: string) => block.write(text, at, "latin1");
  const octal = (at: number, digits: number, value: number) =>
    field(at, value.toString(8).padStart(digits, "0"));
  field(0, name);
  octal(100, 7, 0o600);
  octal(108, 7, 0);
  octal(116, 7, 0);
  octal(124, 11, size);
  octal(136, 11, Math.floor(time.getTime() / 1000));
  field(156, "0");
  field(257, "ustar\u000000");
  octal(148, 6, checksumOf(block));
  field(154, "\u0000 ");
  return block;
}

/** Zeros that fill the last block of a content. */
export const paddingOf = (size: number): Buffer =>
  Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);

/** What follows the last member. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes);

/** Reads a header; null at the end of the archive, undefined if it is neither. */
export function readTarHeader(block: Buffer): Member | null | undefined {
  if (block.every((byte) => byte === 0)) return null;
  const text = (at: number, length: number) =>
    block.toString("latin1", at, at + length).replace(/[\0 ].*$/s, "");
  if (text(257, 6) !== "ustar" || Number.parseInt(text(148, 8), 8) !== checksumOf(block)) return undefined;
  return { name: text(0, nameBytes), size: Number.parseInt(text(124, 12), 8) };
}

/** The sum of all bytes, where those of the checksum itself count as spaces. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < blockBytes; at++) if (at < 148 || at >= 156) sum += block[at] as number;
  return sum;
}
