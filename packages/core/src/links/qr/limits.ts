/** The possible styles of QR codes: pure rules. */

/** Width and height in pixels */
export const qrSizes = { min: 32, max: 4096 };
/** Quiet zone in modules; ISO/IEC 18004 requires 4 */
export const qrMargins = { min: 0, max: 32, default: 4 };
/** Error correction (ISO/IEC 18004): 7, 15, 25 or 30 % of the symbol may be damaged */
export const qrLevels = ["L", "M", "Q", "H"] as const;
export type QrLevel = (typeof qrLevels)[number];
export const qrDefaults = {
  color: "#000000",
  background: "#ffffff",
  level: "M",
  dots: "square",
  eyes: "square",
} as const;
/** How modules are drawn: as squares, as squares whose free corners are round, or as circles */
export const qrDots = ["square", "rounded", "dots"] as const;
export type QrDots = (typeof qrDots)[number];
/** How the three finder patterns are drawn */
export const qrEyes = ["square", "rounded", "circle"] as const;
export type QrEyes = (typeof qrEyes)[number];
/** Width and height in pixels of a PNG with another shape than squares, or with a logo, which takes longer to draw */
export const maxShapedPng = 2048;
