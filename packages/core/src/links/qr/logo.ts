import { promisify } from "node:util";
import { inflate } from "node:zlib";
import type { Pool } from "pg";
import { encodePng } from "./png.ts";
import type { Logo } from "./shapes.ts";

const decompress = promisify(inflate);

/** A logo of these pixels, as it is stored. */
export async function logoOf({ width, height, pixels }: Omit<Logo, "png">): Promise<Logo> {
  return { width, height, pixels, png: await encodePng("rgba", width, height, pixels) };
}

/** The logo of an account; null if it has none. */
export async function readLogo(pool: Pool, accountId: string): Promise<Logo | null> {
  const { rows } = await pool.query<{ image: Buffer }>({
    name: "qr-logo",
    text: "select image from qr_logos where account_id = $1",
    values: [accountId],
  });
  const png = rows[0]?.image;
  return png ? decodeLogo(png) : null;
}

/** Places in an image that `encodePng` made: after the signature and its first chunk. */
const at = { width: 16, height: 20, length: 33, data: 41 };

async function decodeLogo(png: Buffer): Promise<Logo> {
  const [width, height] = [png.readUInt32BE(at.width), png.readUInt32BE(at.height)];
  const rows = await decompress(png.subarray(at.data, at.data + png.readUInt32BE(at.length)));
  const rowBytes = 4 * width;
  const pixels = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++)
    rows.copy(pixels, y * rowBytes, y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1));
  return { width, height, pixels, png };
}
