// Usage: node slim-node.ts NODE FILE
// Writes a Node without what a service of Terse never reads: symbols for debuggers and, of the data of ICU, which are a quarter of
// the program, all languages but English. What belongs to no language stays (Unicode, time zones, encodings). Code and data stay
// where they are in memory. `Intl` says of the other languages that it does not support them.
import { chmodSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Names of ICU's files for one language, such as `curr/pt_BR.res`; of words of languages without spaces, `brkitr/thaidict.dict` */
const ofOneLanguage = /\/[a-z]{2,3}(?:_[A-Z][a-z]{3})?(?:_(?:[A-Z]{2}|\d{3}))?(?:_[A-Z]+)?\.res$|\.dict$/;
const isEnglish = /\/en(?:_\w+)?\.res$/;
const isKept = (name: string) => !ofOneLanguage.test(name) || isEnglish.test(name);

const load = 1;
const note = 4;

/** A program header of a 64-bit ELF file, and where its fields are */
interface Segment {
  bytes: Buffer;
  type: number;
  offset: number;
  size: number;
  align: number;
}

/** Where fields of the ELF header and of a program header are */
const header = { segments: 32, sections: 40, segmentSize: 54, segmentCount: 56, sectionCount: 60 } as const;
const field = { offset: 8, virtual: 16, physical: 24, fileSize: 32, memorySize: 40, align: 48 } as const;
const read = (bytes: Buffer, at: number) => Number(bytes.readBigUInt64LE(at));
const write = (bytes: Buffer, at: number, value: number) => bytes.writeBigUInt64LE(BigInt(value), at);
const up = (value: number, align: number) => Math.ceil(value / align) * align;

/** The program without symbols and, if it has data of ICU (one that uses its system's has none), without the languages. */
export function slim(program: Buffer): Buffer {
  const segments = segmentsOf(program);
  const last = Math.max(...segments.map(({ offset, size }) => offset + size));
  const loaded = Buffer.from(program.subarray(0, last));
  // No table of sections: only debuggers read it.
  write(loaded, header.sections, 0);
  loaded.fill(0, header.sectionCount, header.sectionCount + 4);
  const data = findData(loaded);
  return data === -1 ? loaded : withoutLanguages(loaded, data, segments);
}

function withoutLanguages(program: Buffer, data: number, segments: readonly Segment[]): Buffer {
  const { packed, end } = pack(program, data);
  const holding = segments.find(
    ({ type, offset, size }) => type === load && offset <= data && end <= offset + size,
  );
  if (holding === undefined) throw new Error("ICU's data is in no segment of the program");
  const align = Math.max(
    ...segments.filter(({ offset }) => offset > data).map((one) => one.align),
    holding.align,
  );
  const from = up(data + packed.length, holding.align);
  const gap = Math.floor((end - from) / align) * align;
  if (gap <= 0) return program;

  // The loader needs the segments that it maps. One more of these takes the place of a note, which says who built the program.
  const without = segments.findIndex(({ type }) => type === note);
  if (without === -1) throw new Error("The program has no note to give up");
  const headers = segments
    .filter((_, at) => at !== without)
    .flatMap((segment) => (segment === holding ? split(segment, from, gap) : [moved(segment, from, gap)]));

  const result = Buffer.concat([program.subarray(0, from), program.subarray(from + gap)]);
  packed.copy(result, data);
  Buffer.concat(headers).copy(result, read(result, header.segments));
  return result;
}

/** Where ICU's package begins: two bytes of length, 0xda27, and "CmnD" in the description; -1 if it is not there. */
function findData(program: Buffer): number {
  let at = program.indexOf("CmnD", 12, "latin1");
  while (at !== -1 && program.readUInt16LE(at - 10) !== 0x27da)
    at = program.indexOf("CmnD", at + 1, "latin1");
  return at === -1 ? -1 : at - 12;
}

/** The package with the files that are kept, and where the last file of the whole one begins. */
function pack(program: Buffer, data: number): { packed: Buffer; end: number } {
  const table = data + program.readUInt16LE(data);
  const files = Array.from({ length: program.readUInt32LE(table) }, (_, at) => {
    const name = table + program.readUInt32LE(table + 4 + at * 8);
    const begin = table + program.readUInt32LE(table + 8 + at * 8);
    return { name: program.toString("latin1", name, program.indexOf(0, name)), begin };
  });
  const last = files.at(-1);
  // Where it ends is not written anywhere.
  if (last === undefined || isKept(last.name))
    throw new Error("The last file of ICU's data is not a language");
  const kept = files.flatMap(({ name, begin }, at) => {
    const next = files[at + 1];
    return next !== undefined && isKept(name) ? [{ name, bytes: program.subarray(begin, next.begin) }] : [];
  });
  const names = Buffer.from(kept.map(({ name }) => `${name}\0`).join(""), "latin1");
  const entries = Buffer.alloc(4 + kept.length * 8);
  entries.writeUInt32LE(kept.length);
  let name = entries.length;
  let begin = up(name + names.length, 16);
  for (const [at, file] of kept.entries()) {
    entries.writeUInt32LE(name, 4 + at * 8);
    entries.writeUInt32LE(begin, 8 + at * 8);
    name += file.name.length + 1;
    begin += file.bytes.length;
  }
  const padding = Buffer.alloc(up(entries.length + names.length, 16) - entries.length - names.length);
  const description = program.subarray(data, table);
  const packed = Buffer.concat([description, entries, names, padding, ...kept.map(({ bytes }) => bytes)]);
  return { packed, end: last.begin };
}

function segmentsOf(program: Buffer): Segment[] {
  const isElf = program.readUInt32BE(0) === 0x7f454c46 && program[4] === 2 && program[5] === 1;
  if (!isElf) throw new Error("The program is no 64-bit ELF file of a little-endian machine");
  const size = program.readUInt16LE(header.segmentSize);
  return Array.from({ length: program.readUInt16LE(header.segmentCount) }, (_, at) => {
    const begin = read(program, header.segments) + at * size;
    const bytes = Buffer.from(program.subarray(begin, begin + size));
    return {
      bytes,
      type: bytes.readUInt32LE(0),
      offset: read(bytes, field.offset),
      size: read(bytes, field.fileSize),
      align: read(bytes, field.align),
    };
  });
}

/** The header of a segment that is after the gap. */
function moved({ bytes, offset }: Segment, from: number, gap: number): Buffer {
  if (offset >= from) write(bytes, field.offset, offset - gap);
  return bytes;
}

/** The headers of what is before and after the gap. */
function split({ bytes, offset, size }: Segment, from: number, gap: number): Buffer[] {
  const before = Buffer.from(bytes);
  const after = Buffer.from(bytes);
  const skipped = from - offset + gap;
  write(after, field.offset, from);
  for (const address of [field.virtual, field.physical])
    write(after, address, read(bytes, address) + skipped);
  for (const length of [field.fileSize, field.memorySize]) {
    write(before, length, from - offset);
    write(after, length, size - skipped);
  }
  return [before, after];
}

const [, script = "", node = "", file = ""] = process.argv;
if (realpathSync(script) === fileURLToPath(import.meta.url)) {
  writeFileSync(file, slim(readFileSync(node)));
  chmodSync(file, 0o755);
}
