import { Resvg } from "@resvg/resvg-js";
import jsqrModule from "jsqr";

// CommonJS: what Node imports is the module, not its default.
const { default: read } = jsqrModule;

/** What a scanner reads in an SVG picture, drawn `zoom` times as large as it says it is; null where it reads nothing. */
export function scan(svg: string, zoom = 1): string | null {
  const { pixels, width, height } = new Resvg(svg, { fitTo: { mode: "zoom", value: zoom } }).render();
  return read(new Uint8ClampedArray(pixels), width, height)?.data ?? null;
}
