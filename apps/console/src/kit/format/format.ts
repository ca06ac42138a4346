import { countries } from "@terse/core/browser";
import { viewerLocale } from "../../words/language.ts";
import { storedZone, storeZone } from "./zone.ts";

/** The viewer's time zone, an IANA name. */
export let viewerZone = storedZone();

/** Makes a formatter when a language first needs it, since making one takes long: a first view needs few of them. */
function lazy<T>(make: (locale: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const locale = viewerLocale();
    const format = made.get(locale) ?? make(locale);
    made.set(locale, format);
    return format;
  };
}
const numbers = (options?: Intl.NumberFormatOptions) =>
  lazy((locale) => new Intl.NumberFormat(locale, options));
const unitOf = (unit: string) => numbers({ style: "unit", unit, maximumFractionDigits: 1 });

const whole = numbers();
const percent = numbers({ style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 });

const timeFormats = new Map<string, Intl.DateTimeFormat>();
/** The formatter of times in a zone; each is made once. */
export function timeFormat(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const key = JSON.stringify([options, timeZone, viewerLocale()]);
  const made = timeFormats.get(key) ?? new Intl.DateTimeFormat(viewerLocale(), { ...options, timeZone });
  timeFormats.set(key, made);
  return made;
}
const viewerTime = (options: Intl.DateTimeFormatOptions, time: Date | number): string =>
  timeFormat(options, viewerZone).format(time);

/** Keeps a time zone for this and later visits. What is on the screen follows when it is drawn again. */
export function changeZone(zone: string): void {
  storeZone(zone);
  viewerZone = zone;
}

const relative = lazy((locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));

export const formatMinute = (iso: string) =>
  viewerTime({ dateStyle: "medium", timeStyle: "short" }, new Date(iso));
export const formatCount = (n: number) => whole().format(n);
const sizes = ["kilobyte", "megabyte", "gigabyte", "terabyte"].map(unitOf);

/** A size in kilobytes or a larger unit, such as "12.4 MB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(sizes.length, Math.max(1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return sizes[power - 1]?.().format(bytes / 1000 ** power) ?? "";
}
export const formatChange = (ratio: number) => percent().format(ratio);
export const formatExact = (iso: string) =>
  viewerTime({ dateStyle: "medium", timeStyle: "medium" }, new Date(iso));
/** A time of today; milliseconds since the epoch. */
export const formatClock = (ms: number) => viewerTime({ timeStyle: "medium" }, ms);
export const formatDay = (iso: string) => {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return viewerTime({ day: "numeric", month: "short", ...(!isThisYear && { year: "numeric" }) }, date);
};

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** Such as "3 hours ago". */
export function formatAgo(iso: string): string {
  const elapsed = new Date(iso).getTime() - Date.now();
  for (const [unit, length] of units)
    if (Math.abs(elapsed) >= length) return relative().format(Math.round(elapsed / length), unit);
  return relative().format(0, "minute");
}

const ratio = numbers({ maximumFractionDigits: 1 });
/** Such as "4.5:1". */
export const formatRatio = (n: number) => `${ratio().format(n)}:1`;

const centimetres = unitOf("centimeter");
const metres = unitOf("meter");
/** A length in centimetres, in metres from one on. */
export const formatLength = (length: number) =>
  (length < 100 ? centimetres().format(length) : metres().format(length / 100)).replaceAll(" ", "\u00a0");

const regions = lazy((locale) => new Intl.DisplayNames(locale, { type: "region" }));

/** A country's name; the code itself if it is none. */
export function countryName(code: string): string {
  try {
    return regions().of(code) ?? code;
  } catch {
    return code;
  }
}

const languages = lazy((locale) => new Intl.DisplayNames(locale, { type: "language" }));
/** Languages that many browsers ask for. */
export const commonLanguages =
  `ar bg bn ca cs da de de-AT de-CH el en en-AU en-GB en-US es es-MX et eu fa fi fr fr-CA fr-CH gl he hi hr
  hu id it ja ko lt lv ms nb nl nn pl pt pt-BR pt-PT ro ru sk sl sr sv th tr uk ur vi zh zh-Hans zh-Hant zh-TW`.split(
    /\s+/,
  );

/** A language's name; the tag itself if it is not known. */
export function languageName(tag: string): string {
  try {
    return languages().of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** All countries with their codes, in the order of their names. */
export const countryNames = (): [code: string, name: string][] =>
  [...countries]
    .map((code): [string, string] => [code, countryName(code)])
    .toSorted(([, one], [, other]) => one.localeCompare(other, viewerLocale()));

/** A URL without its scheme, split so that the host can be shown first. */
export function partsOf(url: string): { host: string; rest: string } {
  const { host, pathname, search, hash } = new URL(url);
  const rest = pathname + search + hash;
  return { host, rest: rest === "/" ? "" : rest };
}

const share = numbers({ style: "percent", maximumFractionDigits: 1 });
/** Such as "12.5%"; of nothing, 0%. */
export const formatShare = (part: number, all: number) => share().format(all === 0 ? 0 : part / all);
