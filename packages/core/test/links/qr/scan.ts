import { Resvg } from "@resvg/resvg-js";
import jsqrModule from "jsqr";

// CommonJS: Node imports the module, not its default export.
const { default: read } = jsqrModule;

/** Returns what a scanner reads in an SVG image drawn at `zoom` times its size; null if it reads nothing. */
export function scan(svg: string, zoom = 1): string | null {
  const { pixels, width, height } = new Resvg(svg, { fitTo: { mode: "zoom", value: zoom } }).render();
  return read(new Uint8ClampedArray(pixels), width, height)?.data ?? null;
}
