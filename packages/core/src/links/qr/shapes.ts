import { create } from "qrcode";
import type { QrDots, QrEyes, QrLevel } from "./limits.ts";

/** The shapes of a QR code, in modules: pure rules for drawing SVG and PNG. */

/** A logo covers at most this share of the width, so that level H, which repairs 30 % of the codewords, has much to spare. */
const logoShare = 0.24;
/** Width of the finder patterns at three corners (ISO/IEC 18004) */
export const eyeSide = 7;

/** The squares of an eye, from the outside to the middle: where they begin, how wide they are, and their corners' radii. */
export const eyeRings: Readonly<Record<QrEyes, readonly { at: number; side: number; radius: number }[]>> = {
  square: ringsWith(0, 0, 0),
  rounded: ringsWith(2.1, 1.2, 0.9),
  circle: ringsWith(3.5, 2.5, 1.5),
};

function ringsWith(outer: number, inner: number, middle: number) {
  return [
    { at: 0, side: 7, radius: outer },
    { at: 1, side: 5, radius: inner },
    { at: 2, side: 3, radius: middle },
  ];
}

/** The picture in the middle of an account's QR codes. */
export interface Logo {
  width: number;
  height: number;
  /** Four bytes a pixel, row by row: red, green, blue and how opaque it is, each from 0 to 255 */
  pixels: Uint8Array;
  /** The same as a PNG image */
  png: Buffer;
}

/** The modules of a code, without its quiet zone. */
export interface Symbol {
  /** Modules across */
  size: number;
  /** True for a dark module that is drawn by itself: not of an eye, if eyes are drawn as a whole, nor below a logo */
  isDot(x: number, y: number): boolean;
  /** The corners of eyes that are drawn as a whole */
  eyes: readonly (readonly [x: number, y: number])[];
  /** The modules that a logo may cover, in both directions; null without one */
  hole: { from: number; side: number } | null;
}

export function symbolOf(
  text: string,
  { level, dots, eyes, hasLogo }: { level: QrLevel; dots: QrDots; eyes: QrEyes; hasLogo: boolean },
): Symbol {
  const { modules } = create(text, { errorCorrectionLevel: hasLogo ? "H" : level });
  const { size } = modules;
  // Odd, as the code is, so that it is in the middle.
  const side = 2 * Math.floor((size * logoShare - 1) / 2) + 1;
  const hole = hasLogo ? { from: (size - side) / 2, side } : null;
  const isCovered = (at: number) => hole !== null && at >= hole.from && at < hole.from + hole.side;
  const isLow = (at: number) => at < eyeSide;
  const isHigh = (at: number) => at >= size - eyeSide;
  // Scanners look for the unbroken lines of an eye: it never consists of separate dots.
  const isWhole = eyes !== "square" || dots !== "square";
  const isEye = (x: number, y: number) =>
    isWhole && ((isLow(x) && (isLow(y) || isHigh(y))) || (isHigh(x) && isLow(y)));
  return {
    size,
    isDot: (x, y) =>
      x >= 0 &&
      y >= 0 &&
      x < size &&
      y < size &&
      Boolean(modules.get(y, x)) &&
      !isEye(x, y) &&
      !(isCovered(x) && isCovered(y)),
    eyes: isWhole
      ? [
          [0, 0],
          [size - eyeSide, 0],
          [0, size - eyeSide],
        ]
      : [],
    hole,
  };
}

/** The radii of a dot's corners, clockwise from the top left: round ones have no dark neighbour on either side. */
export function cornersOf({ isDot }: Symbol, dots: QrDots, x: number, y: number): readonly number[] {
  if (dots === "square") return [0, 0, 0, 0];
  if (dots === "dots") return [0.5, 0.5, 0.5, 0.5];
  const [top, right, bottom, left] = [isDot(x, y - 1), isDot(x + 1, y), isDot(x, y + 1), isDot(x - 1, y)];
  return [top || left, top || right, bottom || right, bottom || left].map((joins) => (joins ? 0 : 0.5));
}

/** True for a point in a square from 0 to `side` whose corners are round. */
export function isInside(x: number, y: number, side: number, corners: readonly number[]): boolean {
  const isRight = x > side / 2;
  const isLow = y > side / 2;
  const radius = corners[isLow ? (isRight ? 2 : 3) : isRight ? 1 : 0] ?? 0;
  const [fromSide, fromTop] = [isRight ? side - x : x, isLow ? side - y : y];
  if (fromSide < 0 || fromTop < 0) return false;
  return (
    fromSide >= radius ||
    fromTop >= radius ||
    (radius - fromSide) ** 2 + (radius - fromTop) ** 2 <= radius ** 2
  );
}
