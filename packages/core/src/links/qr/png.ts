import { crc32, deflateSync } from "node:zlib";
import { create } from "qrcode";
import { defaultSize, type QrOptions } from "./svg.ts";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Draws a QR code (ISO/IEC 18004) as a PNG image with two colours (ISO/IEC 15948), one bit per pixel. Every module has
 * the same whole number of pixels; what `size` leaves over widens the quiet zone. Null if `size` has less than one pixel
 * per module.
 */
export function qrPng(
  text: string,
  { level, margin, color, background, ...options }: QrOptions,
): Buffer | null {
  const { modules } = create(text, { errorCorrectionLevel: level });
  const side = modules.size + 2 * margin;
  const size = options.size ?? defaultSize(side);
  const scale = Math.floor(size / side);
  if (scale === 0) return null;
  const start = Math.floor((size - modules.size * scale) / 2);

  // Each row of pixels begins with its filter, 0 for none.
  const rowBytes = 1 + Math.ceil(size / 8);
  const pixels = Buffer.alloc(rowBytes * size);
  for (let y = 0; y < modules.size; y++) {
    const row = Buffer.alloc(rowBytes);
    for (let x = 0; x < modules.size * scale; x++) {
      const pixel = start + x;
      if (modules.get(y, Math.floor(x / scale))) row[1 + (pixel >> 3)]! |= 0x80 >> (pixel & 7);
    }
    for (let copy = 0; copy < scale; copy++) row.copy(pixels, rowBytes * (start + y * scale + copy));
  }

  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([1, 3, 0, 0, 0], 8); // one bit per pixel, colours from a palette, the only compression and filter, not interlaced
  const palette = Buffer.from(background.slice(1) + color.slice(1), "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", palette),
    chunk("IDAT", deflateSync(pixels)),
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
