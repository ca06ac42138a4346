import { Resvg } from "@resvg/resvg-js";
import jsqrModule from "jsqr";

// CommonJS: Node imports the module, not its default export.
const { default: read } = jsqrModule;

/** Returns what a scanner reads in an SVG image drawn at `zoom` times its size; null if it reads nothing. */
export function scan(svg: string, zoom = 1): string | null {
  const { pixels, width, height } = new Resvg(svg, { fitTo: { mode: "zoom", value: zoom } }).render();
  return read(new Uint8ClampedArray(pixels), width, height)?.data ?? null;
}

/** Wraps a PNG image, in Base64, in an SVG image of the same size. */
export function svgOf(png: string): string {
  const size = sizeOf(png);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><image width="${size}" height="${size}" href="data:image/png;base64,${png}"/></svg>`;
}

/** The width of a PNG image, in Base64, after its signature and the head of its first chunk. */
export const sizeOf = (png: string): number => Buffer.from(png, "base64").readUInt32BE(16);
