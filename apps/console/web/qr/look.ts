import {
  contrastOf,
  hexColor,
  isReadable,
  normalizeColor,
  qrDefaults,
  type QrDots,
  qrDots,
  type QrEyes,
  qrEyes,
  type QrLevel,
  qrLevels,
  qrMargins,
  qrSizes,
} from "@terse/core/browser";

/** How a QR code looks; `size` is the width of its PNG in pixels. */
export interface Look {
  color: string;
  background: string;
  margin: number;
  level: QrLevel;
  dots: QrDots;
  eyes: QrEyes;
  /** Whether the account's logo is in the middle */
  logo: boolean;
  size: number;
}

const defaults: Look = { ...qrDefaults, margin: qrMargins.default, logo: false, size: 1024 };

const colorIn = (value: unknown) =>
  hexColor.test(String(value)) ? normalizeColor(String(value)) : undefined;
const wholeIn = (value: unknown, { min, max }: { min: number; max: number }) =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max
    ? (value as number)
    : undefined;

/** What an address says about the look; the rest is as by default. */
export function lookIn(search: Record<string, unknown>): Partial<Look> {
  return departures({
    color: colorIn(search.color) ?? defaults.color,
    background: colorIn(search.background) ?? defaults.background,
    margin: wholeIn(search.margin, qrMargins) ?? defaults.margin,
    level: qrLevels.find((level) => level === search.level) ?? defaults.level,
    dots: qrDots.find((dots) => dots === search.dots) ?? defaults.dots,
    eyes: qrEyes.find((eyes) => eyes === search.eyes) ?? defaults.eyes,
    logo: search.logo === true,
    size: wholeIn(search.size, qrSizes) ?? defaults.size,
  });
}

export const completeLook = (look: Partial<Look>): Look => ({ ...defaults, ...look });

/** What differs from the defaults: all that an address has to say. */
export const departures = (look: Look): Partial<Look> =>
  Object.fromEntries(Object.entries(look).filter(([name, value]) => value !== defaults[name as keyof Look]));

const key = "terse.qr";

/** The look that was downloaded, copied or printed last on this device. */
export function storedLook(): Partial<Look> {
  try {
    return lookIn(JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, unknown>);
  } catch {
    return {};
  }
}
export const storeLook = (look: Look): void => localStorage.setItem(key, JSON.stringify(departures(look)));

/** True if its PNG is not drawn in squares only, and may be `maxShapedPng` wide. */
export const isShaped = ({ dots, eyes, logo }: Look): boolean =>
  dots !== defaults.dots || eyes !== defaults.eyes || logo;

/** Whether scanners can read these colours, by the API's own rule, and their contrast. */
export const verdictOf = ({ color, background }: Pick<Look, "color" | "background">) => ({
  isReadable: isReadable(color, background),
  contrast: contrastOf(color, background),
});

/** The address of a link's code, as the API serves it. The API ignores `logoVersion`, see `useLogoVersion`. */
export function imageOf(
  id: string,
  { size, logo, ...look }: Look,
  logoVersion: string,
  format: "svg" | "png" = "svg",
): string {
  const query = new URLSearchParams({
    ...Object.fromEntries(Object.entries(look).map(([name, value]) => [name, String(value)])),
    ...(logo && { logo: "true", ...(logoVersion && { v: logoVersion }) }),
    ...(format === "png" && { format, size: String(size) }),
  });
  return `/v1/links/${encodeURIComponent(id)}/qr?${query.toString()}`;
}
