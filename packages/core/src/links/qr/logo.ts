import { createRequire } from "node:module";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import type { Pool } from "pg";
import type { ShortHost } from "../../kernel/short-host.ts";
import type { Logo } from "./logo.types.ts";
import { encodePng } from "./png.ts";
import { qrRaster } from "./raster.ts";
import { qrDots, qrEyes } from "./limits.ts";

const decompress = promisify(inflate);

/** What is used of the package jsqr, which only an upload loads. */
interface Scanner {
  default(pixels: Uint8ClampedArray, width: number, height: number): { data: string } | null;
}

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

/** Slugs of codes of three sizes; the last one is as long as slugs get. */
const sampleSlugs = ["aB3dE7k", "summer-sale-2026-in-our-shop", "x".repeat(64)];
const samplePixels = 480;

/** True if a scanner reads codes with this logo in every style, in small pictures, as the short URLs that they are of. */
export function isDecodable(logo: Logo, shortHost: Pick<ShortHost, "urlOf">): boolean {
  const scan = (createRequire(import.meta.url)("jsqr") as Scanner).default;
  return sampleSlugs.every((slug, place) => {
    const text = shortHost.urlOf(slug);
    const raster = qrRaster(text, {
      level: "H",
      margin: 4,
      size: samplePixels,
      color: "#000000",
      background: "#ffffff",
      dots: qrDots[place] ?? "square",
      eyes: qrEyes[place] ?? "square",
      logo,
    });
    if (raster === null) return false;
    const { size, pixels } = raster;
    const rgba = new Uint8ClampedArray(size * size * 4).fill(255);
    for (let pixel = 0; pixel < size * size; pixel++)
      rgba.set(pixels.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
    return scan(rgba, size, size)?.data === text;
  });
}
