import { deflateSync, crc32 } from "node:zlib";

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, "latin1");
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0);
  return Buffer.concat([head, data, end]);
}

/** A PNG image (ISO/IEC 15948) with 8 bits per channel; `paint` returns red, green, blue and alpha of a pixel. */
export function png(
  width: number,
  height: number,
  paint: (x: number, y: number) => readonly number[] = () => [15, 107, 82, 255],
  { text = "" } = {},
): Buffer {
  const rows = Buffer.alloc((1 + 4 * width) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(paint(x, y), y * (1 + 4 * width) + 1 + 4 * x);
  return pngOf(width, height, rows, text);
}

/** A PNG image whose header promises that many pixels, without having them. */
export const pngBomb = (width: number, height: number): Buffer =>
  pngOf(width, height, Buffer.alloc(1000), "");

function pngOf(width: number, height: number, rows: Buffer, text: string): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1A\n", "latin1"),
    chunk("IHDR", header),
    ...(text === "" ? [] : [chunk("tEXt", Buffer.from(`Comment\0${text}`, "latin1"))]),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
