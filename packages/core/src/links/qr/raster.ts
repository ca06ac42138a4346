import { logoGap, pixelGrid, type QrOptions } from "./svg.ts";
import { cornersOf, eyeRings, eyeSide, isInside, type Logo, symbolOf } from "./shapes.ts";

/** Points of a pixel, in both directions, by which it is decided how much of it is covered */
const samples = 4;

/**
 * Draws a QR code of any look in a square of pixels, three bytes each: red, green, blue. Null if its size has less than one pixel
 * per module, see `pixelGrid`.
 */
export function qrRaster(text: string, look: QrOptions): { size: number; pixels: Uint8Array } | null {
  const { level, color, background, dots, eyes, logo } = look;
  const symbol = symbolOf(text, { level, dots, eyes, hasLogo: Boolean(logo) });
  const grid = pixelGrid(symbol, look);
  if (grid === null) return null;
  const { size, scale, start } = grid;
  const [light, dark] = [bytesOf(background), bytesOf(color)];
  const pixels = Buffer.alloc(size * size * 3, light);

  /** Draws a shape in a tile, which is then put into its places row by row. */
  const tileOf = (wide: number, modules: number, isIn: IsInside) => {
    const tile = Buffer.alloc(wide * wide * 3, light);
    for (const [at, share] of coverageOf(wide, modules, isIn).entries())
      if (share > 0) blend(tile, at * 3, dark, share / (samples * samples));
    return tile;
  };
  const put = (tile: Buffer, wide: number, left: number, top: number) => {
    for (let y = 0; y < wide; y++)
      tile.copy(pixels, ((top + y) * size + left) * 3, y * wide * 3, (y + 1) * wide * 3);
  };
  // Few modules differ in their corners.
  const tiles = new Map<string, Buffer>();
  for (let y = 0; y < symbol.size; y++) {
    for (let x = 0; x < symbol.size; x++) {
      if (!symbol.isDot(x, y)) continue;
      const corners = cornersOf(symbol, dots, x, y);
      const key = corners.join();
      const tile = tiles.get(key) ?? tileOf(scale, 1, (u, v) => isInside(u, v, 1, corners));
      tiles.set(key, tile);
      put(tile, scale, start + x * scale, start + y * scale);
    }
  }
  if (symbol.eyes.length > 0) {
    const rings = eyeRings[eyes].map(({ at, side: wide, radius }) => ({
      at,
      wide,
      corners: [radius, radius, radius, radius],
    }));
    const tile = tileOf(scale * eyeSide, eyeSide, (u, v) => {
      let isDark = false;
      for (const { at, wide, corners } of rings)
        if (isInside(u - at, v - at, wide, corners)) isDark = !isDark;
      return isDark;
    });
    for (const [x, y] of symbol.eyes) put(tile, scale * eyeSide, start + x * scale, start + y * scale);
  }
  if (logo && symbol.hole) {
    const wide = Math.floor((symbol.hole.side - 2 * logoGap) * scale);
    const at = start + Math.round((symbol.hole.from + logoGap) * scale);
    putLogo(pixels, size, logo, at, wide);
  }
  return { size, pixels };
}

/** How many samples of each pixel are inside a shape, in a square of `wide` pixels that are `side` modules. */
function coverageOf(wide: number, side: number, isIn: IsInside): Uint8Array {
  const coverage = new Uint8Array(wide * wide);
  const step = side / wide / samples;
  for (let y = 0; y < wide * samples; y++) {
    for (let x = 0; x < wide * samples; x++) {
      if (isIn((x + 0.5) * step, (y + 0.5) * step))
        coverage[Math.floor(y / samples) * wide + Math.floor(x / samples)]!++;
    }
  }
  return coverage;
}
type IsInside = (x: number, y: number) => boolean;

/** Draws the logo as large as fits into a square, in its middle. */
function putLogo(pixels: Uint8Array, size: number, logo: Logo, at: number, wide: number): void {
  const ratio = wide / Math.max(logo.width, logo.height);
  const [width, height] = [Math.round(logo.width * ratio), Math.round(logo.height * ratio)];
  const [left, top] = [at + Math.floor((wide - width) / 2), at + Math.floor((wide - height) / 2)];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue, opacity] = averageOf(
        logo,
        [x / width, (x + 1) / width],
        [y / height, (y + 1) / height],
      );
      blend(pixels, ((top + y) * size + left + x) * 3, [red, green, blue], opacity);
    }
  }
}

type Range = readonly [from: number, to: number];

/** The mean colour of a part of the logo, whose edges are from 0 to 1, and its opacity from 0 to 1. */
function averageOf(
  { width, height, pixels }: Logo,
  across: Range,
  down: Range,
): [number, number, number, number] {
  const cells = ([from, to]: Range, length: number): Range => {
    const first = Math.min(length - 1, Math.floor(from * length));
    return [first, Math.max(first + 1, Math.min(length, Math.round(to * length)))];
  };
  const [x0, x1] = cells(across, width);
  const [y0, y1] = cells(down, height);
  const sums: [number, number, number, number] = [0, 0, 0, 0];
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const at = (y * width + x) * 4;
      const opacity = pixels[at + 3] as number;
      for (const channel of [0, 1, 2] as const) sums[channel] += (pixels[at + channel] as number) * opacity;
      sums[3] += opacity;
    }
  }
  const [red, green, blue, all] = sums;
  if (all === 0) return [0, 0, 0, 0];
  return [red / all, green / all, blue / all, all / 255 / ((x1 - x0) * (y1 - y0))];
}

function blend(pixels: Uint8Array, at: number, color: ArrayLike<number>, share: number): void {
  for (let channel = 0; channel < 3; channel++) {
    const before = pixels[at + channel] as number;
    pixels[at + channel] = Math.round(before + ((color[channel] as number) - before) * share);
  }
}

const bytesOf = (color: string) => Buffer.from(color.slice(1), "hex");
