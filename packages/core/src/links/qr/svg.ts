import type { QrDots, QrEyes, QrLevel } from "./limits.ts";
import { cornersOf, eyeRings, type Logo, type Symbol, symbolOf } from "./shapes.ts";

export interface QrOptions {
  /** With a logo it is always H */
  level: QrLevel;
  /** Quiet zone in modules; ISO/IEC 18004 requires 4 */
  margin: number;
  /** Width and height in pixels; default: the smallest size from 256 with a whole number of pixels per module */
  size?: number | undefined;
  /** `#rrggbb` */
  color: string;
  background: string;
  dots: QrDots;
  eyes: QrEyes;
  /** In the middle */
  logo?: Logo | null;
}

const minDefaultSize = 256;
/** The logo keeps this distance from the modules around it, in modules. */
export const logoGap = 0.5;

/** The smallest size from 256 with a whole number of pixels per module, for a code of `side` modules. */
const defaultSize = (side: number): number => side * Math.ceil(minDefaultSize / side);

/**
 * The pixels of a square image in which every module has the same whole number of them, `scale`; what `size` leaves over widens the
 * quiet zone. Null if a module has less than one.
 */
export function pixelGrid(symbol: Symbol, { margin, size: wanted }: Pick<QrOptions, "margin" | "size">) {
  const side = symbol.size + 2 * margin;
  const size = wanted ?? defaultSize(side);
  const scale = Math.floor(size / side);
  return scale === 0 ? null : { size, scale, start: Math.floor((size - symbol.size * scale) / 2) };
}

/** True if a code is drawn in squares only, which needs no shades between its colours. */
export const isPlainLook = ({ dots, eyes, logo }: Pick<QrOptions, "dots" | "eyes" | "logo">): boolean =>
  dots === "square" && eyes === "square" && !logo;

/** Draws a QR code (ISO/IEC 18004) as an SVG image without styles or scripts; one unit of its viewBox is one module. */
export function qrSvg(text: string, look: QrOptions): string {
  const { level, margin, color, background, dots, eyes, logo } = look;
  const symbol = symbolOf(text, { level, dots, eyes, hasLogo: Boolean(logo) });
  const side = symbol.size + 2 * margin;
  const size = look.size ?? defaultSize(side);
  const path = dots === "square" ? runsOf(symbol, margin) : dotsOf(symbol, dots, margin);
  const rings = symbol.eyes.flatMap(([x, y]) =>
    eyeRings[eyes].map(({ at, side: wide, radius }) =>
      square(x + margin + at, y + margin + at, wide, [radius, radius, radius, radius]),
    ),
  );
  const sharp = isPlainLook(look) ? `shape-rendering="crispEdges" ` : "";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}" ` +
    `${sharp}role="img"><title>QR code: ${escape(text)}</title>` +
    `<path fill="${background}" d="M0 0h${side}v${side}H0z"/><path fill="${color}" d="${path}"/>` +
    (rings.length > 0 ? `<path fill="${color}" fill-rule="evenodd" d="${rings.join("")}"/>` : "") +
    (logo && symbol.hole ? imageIn(logo, symbol.hole, margin) : "") +
    `</svg>\n`
  );
}

/** Dark modules beside each other are one rectangle. */
function runsOf({ size, isDot }: Symbol, margin: number): string {
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const start = x;
      while (isDot(x, y)) x++;
      if (x > start) path += `M${start + margin} ${y + margin}h${x - start}v1h${start - x}z`;
    }
  }
  return path;
}

function dotsOf(symbol: Symbol, dots: QrDots, margin: number): string {
  let path = "";
  for (let y = 0; y < symbol.size; y++) {
    for (let x = 0; x < symbol.size; x++) {
      if (symbol.isDot(x, y)) path += square(x + margin, y + margin, 1, cornersOf(symbol, dots, x, y));
    }
  }
  return path;
}

/** A square with round corners as a path. */
function square(x: number, y: number, side: number, corners: readonly number[]): string {
  const [topLeft = 0, topRight = 0, bottomRight = 0, bottomLeft = 0] = corners;
  const arc = (radius: number, dx: number, dy: number) =>
    radius === 0 ? "" : `a${radius} ${radius} 0 0 1 ${dx * radius} ${dy * radius}`;
  return (
    `M${round(x + topLeft)} ${y}h${round(side - topLeft - topRight)}${arc(topRight, 1, 1)}` +
    `v${round(side - topRight - bottomRight)}${arc(bottomRight, -1, 1)}` +
    `h${round(bottomRight + bottomLeft - side)}${arc(bottomLeft, -1, -1)}` +
    `v${round(bottomLeft + topLeft - side)}${arc(topLeft, 1, -1)}z`
  );
}

const round = (length: number) => Math.round(length * 100) / 100;

function imageIn({ png }: Logo, { from, side }: { from: number; side: number }, margin: number): string {
  const at = from + margin + logoGap;
  const wide = side - 2 * logoGap;
  return `<image x="${at}" y="${at}" width="${wide}" height="${wide}" href="data:image/png;base64,${png.toString("base64")}"/>`;
}

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
