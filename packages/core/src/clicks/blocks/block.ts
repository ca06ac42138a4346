import { bitsFor, bitsPadding, findBits, packBits, unpackBits, unpackSome } from "../../kernel/numbers.ts";
import { sequenceMask } from "../click-id.ts";
import { ByteReader, ByteWriter } from "../packed/bytes.ts";

/**
 * What a block keeps of each click besides its id, with the columns of `clicks`. The names are in the order in which
 * they are stored: only add to the end, nothing else is needed. Older blocks have null.
 */
export const clickColumns = {
  link: "link_id",
  client: "client_id",
  referrer: "referrer_id",
  campaign: "campaign_id",
  bot: "bot_id",
  variant: "variant",
  unique: "is_unique",
  place: "place_id",
} as const;
export type ColumnName = keyof typeof clickColumns;
export const columnNames = Object.keys(clickColumns) as ColumnName[];

/** One value for each column. */
export const byColumn = <T>(of: (name: ColumnName) => T) =>
  Object.fromEntries(columnNames.map((name) => [name, of(name)])) as Record<ColumnName, T>;

/** Those that are whole numbers in rows, too, or true (1) and false; of a link, blocks have the id in `click_values`. */
export type NumberColumn = Exclude<ColumnName, "link">;
export const numberColumns = columnNames.filter((name) => name !== "link");

/** Instead of null */
export const none = -1;

/** Whose clicks, and of which kind. */
export interface Owner {
  /** The account's number; 0: of none */
  account: number;
  isBot: boolean;
}

/** Clicks of a UTC day, in the order of ids. All arrays are equally long. */
export interface Clicks {
  /** Milliseconds since the start of the day */
  times: Int32Array;
  /** The lower 20 bits of the ids */
  sequences: Int32Array;
  /** Whole numbers from 0, or `none` */
  values: Readonly<Record<ColumnName, Int32Array>>;
}

/**
 * Clicks of a UTC day as bytes, in the order of their ids, column by column.
 *
 * `packed` begins with whole numbers in LEB128: how many clicks, how many columns, and the lengths in bytes of what follows. This
 * is the times, each as its distance from the one before, and the columns in the order of `columnNames`. A column is the number of
 * its different values, these, each as its distance from the one before, the first from -1, which stands for null; and for each
 * click the position of its value among them, as bits (`packBits`). Two bytes of zeros are last.
 * `sequences` is apart, since only what needs ids reads it: 0 and each sequence in 20 bits, or 1 and each one's distance from the
 * one before, modulo 2^20, in LEB128. Clicks that one process counted one after the other have short distances.
 */
export interface Packed {
  packed: Buffer;
  sequences: Buffer;
}

/** Clicks of a block: few enough that the position of a value takes two bytes, and reading a block a few milliseconds. */
export const maxClicks = 32_768;

const sequenceBits = 20;

/** A column of a block. */
export interface Column {
  /** By click: the position of its value */
  positions: Uint16Array;
  /** Ascending; `none` first, if there is any */
  values: Int32Array;
}

export function packBlock({ times, sequences, values }: Clicks): Packed {
  const header = new ByteWriter();
  header.number(times.length);
  header.number(columnNames.length);
  const parts: Uint8Array[] = [distances(times, 0)];
  const lengths = [parts[0]?.length ?? 0];
  for (const name of columnNames) {
    const column = packColumn(values[name]);
    parts.push(...column);
    lengths.push(column.reduce((sum, { length }) => sum + length, 0));
  }
  for (const length of lengths) header.number(length);
  const packed = Buffer.concat([header.bytes(), ...parts, Buffer.alloc(bitsPadding)]);
  return { packed, sequences: packSequences(sequences) };
}

function distances(ascending: Int32Array, from: number): Buffer {
  const bytes = new ByteWriter();
  let before = from;
  for (let at = 0; at < ascending.length; at++) {
    const value = ascending[at] as number;
    bytes.number(value - before);
    before = value;
  }
  return bytes.bytes();
}

function packColumn(column: Int32Array): Uint8Array[] {
  const positionOf = new Map<number, number>();
  for (let at = 0; at < column.length; at++) positionOf.set(column[at] as number, 0);
  const values = Int32Array.from(positionOf.keys()).toSorted();
  for (const [position, value] of values.entries()) positionOf.set(value, position);
  const header = new ByteWriter();
  header.number(values.length);
  const stored = distances(values, none);
  const positions = new Uint16Array(column.length);
  for (let at = 0; at < column.length; at++) positions[at] = positionOf.get(column[at] as number) as number;
  return [header.bytes(), stored, packBits(positions, bitsFor(values.length))];
}

function packSequences(sequences: Int32Array): Buffer {
  const bytes = new ByteWriter();
  let before = 0;
  for (const sequence of sequences) {
    bytes.number((sequence - before) & sequenceMask);
    before = sequence;
  }
  const near = bytes.bytes();
  const plain = Math.ceil((sequences.length * sequenceBits) / 8);
  return near.length < plain
    ? Buffer.concat([Buffer.of(1), near])
    : Buffer.concat([Buffer.of(0), packBits(sequences, sequenceBits)]);
}

/** Reads a block; each column when it is asked for. */
export class Block {
  readonly count: number;
  readonly #times: Buffer;
  readonly #packed = new Map<ColumnName, Buffer>();
  readonly #packedColumns = new Map<ColumnName, PackedColumn>();
  readonly #columns = new Map<ColumnName, Column>();

  constructor(packed: Buffer) {
    const header = new ByteReader(packed);
    this.count = header.number();
    const columns = header.number();
    const lengths = Array.from({ length: columns + 1 }, () => header.number());
    let at = header.position;
    const next = (length = 0) => packed.subarray(at, (at += length) + bitsPadding);
    this.#times = next(lengths[0]);
    for (const [position, name] of columnNames.entries())
      if (position < columns) this.#packed.set(name, next(lengths[position + 1]));
  }

  /** By click: milliseconds since the start of the day, ascending. */
  times(): Int32Array {
    const times = new Int32Array(this.count);
    const bytes = this.#times;
    let time = 0;
    let at = 0;
    for (let click = 0; click < times.length; click++) {
      let byte = bytes[at++] as number;
      let distance = byte & 127;
      for (let bits = 7; byte > 127; bits += 7) {
        byte = bytes[at++] as number;
        distance |= (byte & 127) << bits;
      }
      times[click] = time += distance;
    }
    return times;
  }

  /** The values of a column, ascending; `none` first, if there is any. */
  values(name: ColumnName): Int32Array {
    return this.#packedColumn(name).values;
  }

  column(name: ColumnName): Column {
    let column = this.#columns.get(name);
    if (column === undefined) {
      const { values, bits } = this.#packedColumn(name);
      const positions = unpackBits(bits, bitsFor(values.length), new Uint16Array(this.count));
      this.#columns.set(name, (column = { positions, values }));
    }
    return column;
  }

  /** A column of some clicks only, in their order. */
  columnOf(name: ColumnName, clicks: Uint16Array): Column {
    if (clicks.length === this.count) return this.column(name);
    const { values, bits } = this.#packedColumn(name);
    return { positions: unpackSome(bits, bitsFor(values.length), clicks), values };
  }

  /** The clicks of a range whose value fits, ascending; `fits` has 1 for each of `values` that does. */
  find(name: ColumnName, fits: Uint8Array, range: readonly [number, number]): Uint16Array {
    const { values, bits } = this.#packedColumn(name);
    return findBits(bits, bitsFor(values.length), fits, range);
  }

  #packedColumn(name: ColumnName): PackedColumn {
    let column = this.#packedColumns.get(name);
    if (column === undefined)
      this.#packedColumns.set(name, (column = readPackedColumn(this.#packed.get(name))));
    return column;
  }
}

/** A column before its bits are read. */
interface PackedColumn {
  values: Int32Array;
  bits: Buffer;
}

/** A column that is not in the block has no bits, as all clicks have the same value. */
function readPackedColumn(column: Buffer = Buffer.of(1, 0)): PackedColumn {
  const header = new ByteReader(column);
  const values = new Int32Array(header.number());
  let value = none;
  for (let at = 0; at < values.length; at++) values[at] = value += header.number();
  return { values, bits: column.subarray(header.position) };
}

/** Reads the `sequences` of a block with this many clicks. */
export function unpackSequences(bytes: Buffer, count: number): Int32Array {
  const sequences = new Int32Array(count);
  if (bytes[0] === 0) return unpackBits(bytes.subarray(1), sequenceBits, sequences);
  const numbers = new ByteReader(bytes.subarray(1));
  let sequence = 0;
  for (let click = 0; click < count; click++)
    sequences[click] = sequence = (sequence + numbers.number()) & sequenceMask;
  return sequences;
}

/** All clicks of a block. */
export function unpackBlock({ packed, sequences }: Packed): Clicks {
  const block = new Block(packed);
  return {
    times: block.times(),
    sequences: unpackSequences(sequences, block.count),
    values: byColumn((name) => {
      const { positions, values } = block.column(name);
      return Int32Array.from(positions, (position) => values[position] as number);
    }),
  };
}
