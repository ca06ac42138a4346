import { create } from "qrcode";
import type { QrLevel } from "./limits.ts";

export interface QrOptions {
  level: QrLevel;
  /** Quiet zone in modules; ISO/IEC 18004 requires 4 */
  margin: number;
  /** Width and height in pixels; default: the smallest size from 256 with a whole number of pixels per module */
  size?: number | undefined;
  /** `#rrggbb` */
  color: string;
  background: string;
}

const minDefaultSize = 256;

/** The smallest size from 256 with a whole number of pixels per module, for a code of `side` modules. */
export const defaultSize = (side: number): number => side * Math.ceil(minDefaultSize / side);

/** Draws a QR code (ISO/IEC 18004) as an SVG image without styles or scripts; one unit of its viewBox is one module. */
export function qrSvg(text: string, { level, margin, color, background, ...options }: QrOptions): string {
  const { modules } = create(text, { errorCorrectionLevel: level });
  const side = modules.size + 2 * margin;
  const size = options.size ?? defaultSize(side);
  let path = "";
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) {
      const start = x;
      while (x < modules.size && modules.get(y, x)) x++;
      if (x > start) path += `M${start + margin} ${y + margin}h${x - start}v1h${start - x}z`;
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}" ` +
    `shape-rendering="crispEdges" role="img"><title>QR code: ${escape(text)}</title>` +
    `<path fill="${background}" d="M0 0h${side}v${side}H0z"/><path fill="${color}" d="${path}"/></svg>\n`
  );
}

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
