/** What a QR code may look like: pure rules. */

/** Width and height in pixels */
export const qrSizes = { min: 32, max: 4096 };
/** Quiet zone in modules; ISO/IEC 18004 requires 4 */
export const qrMargins = { min: 0, max: 32, default: 4 };
/** Error correction (ISO/IEC 18004): 7, 15, 25 or 30 % of the symbol may be damaged */
export const qrLevels = ["L", "M", "Q", "H"] as const;
export type QrLevel = (typeof qrLevels)[number];
export const qrDefaults = { color: "#000000", background: "#ffffff", level: "M" } as const;
