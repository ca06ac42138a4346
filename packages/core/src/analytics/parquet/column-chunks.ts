import { ByteWriter, type ParquetWriter } from "hyparquet-writer";
// The package exports these files, though its main entry does not: if a new version changes them, the types or the tests that
// read a file with another package fail.
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeDictionaryPage } from "hyparquet-writer/src/dictionary.js";
import { bitsFor, packBits } from "../../kernel/numbers.ts";

/**
 * Columns of a group of rows, in the encodings of the Parquet format (https://parquet.apache.org/docs/file-format/). The writer's own
 * way needs a JavaScript value for each cell; here a column of texts is its different texts, and their places by row.
 */

type File = Pick<ParquetWriter, "writer" | "compressors">;
type Element = ParquetWriter["schema"][number];
export type Chunk = ParquetWriter["row_groups"][number]["columns"][number];
type MetaData = NonNullable<Chunk["meta_data"]>;

/** Writes times in milliseconds, ascending, with the first and the last, by which readers leave groups out. */
export function writeTimes(file: File, element: Element, times: Float64Array): Chunk {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const statistics = { min_value: BigInt(first), max_value: BigInt(last), null_count: 0n };
  const page = distancesOf(times);
  return writeChunk(file, element, { page, rows: times.length, encoding: "DELTA_BINARY_PACKED", statistics });
}

/** Writes what is 0 or 1. */
export const writeFlags = (file: File, element: Element, flags: Uint8Array): Chunk =>
  writeChunk(file, element, { page: packBits(flags, 1), rows: flags.length, encoding: "PLAIN" });

/** Writes texts; `places` are those of the rows among them. */
export const writeTexts = (
  file: File,
  element: Element,
  texts: readonly string[],
  places: Uint32Array,
): Chunk =>
  writeChunk(file, element, {
    dictionary: texts.map((text) => Buffer.from(text)),
    page: placesOf(places, bitsFor(texts.length)),
    rows: places.length,
    encoding: "RLE_DICTIONARY",
  });

interface Contents {
  page: Uint8Array;
  rows: number;
  encoding: MetaData["encodings"][number];
  dictionary?: readonly Uint8Array[];
  statistics?: MetaData["statistics"];
}

const codec = "SNAPPY";

/** Writes a dictionary, if there is one, and all rows as one page. */
function writeChunk(
  { writer, compressors }: File,
  element: Element,
  { page, rows, encoding, dictionary, statistics }: Contents,
): Chunk {
  const start = writer.offset;
  const column = { columnName: element.name, element, schemaPath: [element], codec, compressors } as const;
  const options = { stats: false, pageSize: 0, columnIndex: false, offsetIndex: false };
  const dictionaryBytes =
    dictionary === undefined ? 0 : writeDictionaryPage(writer, { ...column, ...options }, [...dictionary]);
  const pageStart = writer.offset;
  const compressed = compressors[codec](page);
  writePageHeader(writer, {
    type: "DATA_PAGE_V2",
    uncompressed_page_size: page.length,
    compressed_page_size: compressed.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: 0,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: 0,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  const headerBytes = writer.offset - pageStart;
  writer.appendBytes(compressed);
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: element.type as MetaData["type"],
      encodings: dictionary === undefined ? [encoding] : ["PLAIN", encoding],
      path_in_schema: [element.name],
      codec,
      num_values: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(dictionaryBytes + headerBytes + page.length),
      data_page_offset: BigInt(pageStart),
      ...(dictionary !== undefined && { dictionary_page_offset: BigInt(start) }),
      ...(statistics !== undefined && { statistics }),
    },
  };
}

/** Places as one run: of bits in groups of eight, or of a place that all rows have, if places take no bits. */
function placesOf(places: Uint32Array, width: number): Uint8Array {
  const groups = Math.ceil(places.length / 8);
  const bits = packBits(places, width);
  const page = new ByteWriter(groups * width + 8);
  page.appendUint8(width);
  page.appendVarInt(width === 0 ? places.length << 1 : (groups << 1) | 1);
  page.appendBytes(bits);
  page.appendBytes(new Uint8Array(groups * width - bits.length));
  return page.getBytes();
}

/** Distances that are packed together, with as many bits as the largest needs */
const together = 32;
/** Lists of them in a block */
const listsInBlock = 4;
/** What `packBits` can pack */
const maxWidth = 24;

/** The first time, and the distance of each other one from the one before. */
function distancesOf(times: Float64Array): Uint8Array {
  const page = new ByteWriter(4 * times.length);
  page.appendVarInt(together * listsInBlock);
  page.appendVarInt(listsInBlock);
  page.appendVarInt(times.length);
  page.appendZigZag(BigInt(times[0] ?? 0));
  const distances = new Float64Array(together);
  for (let from = 1; from < times.length; from += together * listsInBlock) {
    // Each distance is stored without the least one of its block, for which this is 0.
    page.appendZigZag(0);
    const widths = new Uint8Array(listsInBlock);
    const lists = Array.from(widths, (_, list) => {
      let largest = 0;
      for (let at = 0; at < together; at++) {
        const row = from + list * together + at;
        const distance = row < times.length ? (times[row] as number) - (times[row - 1] as number) : 0;
        distances[at] = distance;
        if (distance > largest) largest = distance;
      }
      const isFar = largest >= 2 ** maxWidth;
      const width = isFar ? 64 : bitsFor(largest + 1);
      widths[list] = width;
      return isFar
        ? new Uint8Array(BigInt64Array.from(distances, BigInt).buffer)
        : packBits(distances, width);
    });
    page.appendBytes(widths);
    for (const list of lists) page.appendBytes(list);
  }
  return page.getBytes();
}
