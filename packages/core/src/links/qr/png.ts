import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import { qrRaster } from "./raster.ts";
import { symbolOf } from "./shapes.ts";
import { isPlainLook, pixelGrid, type QrOptions } from "./svg.ts";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const compress = promisify(deflate);

/** Kinds of pixels (ISO/IEC 15948): one bit each, by a palette; three bytes; four bytes. */
const kinds = {
  twoColors: { bits: 1, type: 3, bytes: (width: number) => Math.ceil(width / 8) },
  rgb: { bits: 8, type: 2, bytes: (width: number) => 3 * width },
  rgba: { bits: 8, type: 6, bytes: (width: number) => 4 * width },
};

/**
 * Draws a QR code (ISO/IEC 18004) as a PNG image, of two colours if it consists of squares. Null if its size has less than one
 * pixel per module, see `pixelGrid`.
 */
export async function qrPng(text: string, look: QrOptions): Promise<Buffer | null> {
  if (isPlainLook(look)) return plainPng(text, look);
  const raster = qrRaster(text, look);
  return raster && encodePng("rgb", raster.size, raster.size, raster.pixels);
}

async function plainPng(text: string, look: QrOptions): Promise<Buffer | null> {
  const symbol = symbolOf(text, { ...look, hasLogo: false });
  const grid = pixelGrid(symbol, look);
  if (grid === null) return null;
  const { size, scale, start } = grid;

  const rowBytes = kinds.twoColors.bytes(size);
  const pixels = Buffer.alloc(rowBytes * size);
  for (let y = 0; y < symbol.size; y++) {
    const row = Buffer.alloc(rowBytes);
    for (let x = 0; x < symbol.size * scale; x++) {
      const pixel = start + x;
      if (symbol.isDot(Math.floor(x / scale), y)) row[pixel >> 3]! |= 0x80 >> (pixel & 7);
    }
    for (let copy = 0; copy < scale; copy++) row.copy(pixels, rowBytes * (start + y * scale + copy));
  }
  const palette = Buffer.from(look.background.slice(1) + look.color.slice(1), "hex");
  return encodePng("twoColors", size, size, pixels, palette);
}

/** Wraps rows of pixels as a PNG image, compressed in another thread. */
export async function encodePng(
  kind: keyof typeof kinds,
  width: number,
  height: number,
  pixels: Uint8Array,
  palette?: Buffer,
): Promise<Buffer> {
  const { bits, type, bytes } = kinds[kind];
  const rowBytes = bytes(width);
  // Each row begins with its filter, 0 for none.
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(pixels.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, type, 0, 0, 0], 8); // the only compression and filter, not interlaced
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    ...(palette ? [chunk("PLTE", palette)] : []),
    chunk("IDAT", await compress(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, "latin1");
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0);
  return Buffer.concat([head, data, checksum]);
}
