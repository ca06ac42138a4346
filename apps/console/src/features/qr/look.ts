import { inWorkspace } from "../../kit/api/workspace.ts";
import type { Link } from "../../kit/api/link.ts";
import { without } from "../../kit/without.ts";
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

/** What an address says about the look; the rest is as the link has it. */
export function lookIn(search: Record<string, unknown>): Partial<Look> {
  const said = {
    color: colorIn(search.color),
    background: colorIn(search.background),
    margin: wholeIn(search.margin, qrMargins),
    level: qrLevels.find((level) => level === search.level),
    dots: qrDots.find((dots) => dots === search.dots),
    eyes: qrEyes.find((eyes) => eyes === search.eyes),
    logo: typeof search.logo === "boolean" ? search.logo : undefined,
    size: wholeIn(search.size, qrSizes),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** How a link's code looks: as it is kept with the link, or else a plain one; and as something else says. */
export const lookOf = ({ qr }: Pick<Link, "qr">, said: Partial<Look> = {}): Look => ({
  ...defaults,
  ...qr,
  ...said,
});

/** What differs from the look of the link: all that an address has to say. */
export const departures = (look: Look, from: Look = defaults): Partial<Look> =>
  Object.fromEntries(Object.entries(look).filter(([name, value]) => value !== from[name as keyof Look]));

/** The part of a look that is kept with a link. */
export const keptPart = (look: Look): NonNullable<Link["qr"]> => without(look, "size");

const key = "terse.qr";

/** The look that was downloaded, copied or printed last on this device. Design begins with it for a link without one. */
export function storedLook({ qr }: Pick<Link, "qr">): Partial<Look> {
  if (qr !== null) return {};
  try {
    return departures({ ...defaults, ...lookIn(JSON.parse(localStorage.getItem(key) ?? "{}") as never) });
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
  { id, qr }: Pick<Link, "id" | "qr">,
  { size, logo, ...look }: Look,
  logoVersion: string,
  format: "svg" | "png" = "svg",
): string {
  const query = new URLSearchParams({
    ...Object.fromEntries(Object.entries(look).map(([name, value]) => [name, String(value)])),
    // Without a word about it, a kept logo that was removed since is left out.
    ...(logo !== (qr?.logo ?? false) && { logo: String(logo) }),
    ...(logo && { v: `1${logoVersion}` }),
    ...(format === "png" && { format, size: String(size) }),
  });
  return inWorkspace(`/v1/links/${encodeURIComponent(id)}/qr?${query.toString()}`);
}
