import { decoded } from "./text.ts";

/** Reads the cells of a file; pure. */

const noWords: ReadonlySet<string> = new Set([
  "",
  "-",
  "0",
  "false",
  "no",
  "off",
  "f",
  "n",
  "null",
  "nil",
  "none",
  "never",
  "undefined",
  "unlimited",
  "n/a",
  "\\n",
]);
/** Whether a text says "no", or nothing. */
export const isNo = (text: string): boolean => noWords.has(text.toLowerCase());
export const isYes = (text: string): boolean => /^(?:true|yes|y|t|on|1)$/i.test(text);

/** A value as text: numbers and booleans of JSON are written out, objects and lists are none. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** An object or a list, of JSON or as JSON in a cell; null for any other value. */
export function structureOf(value: unknown): object | null {
  if (typeof value === "object") return value;
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return null;
  try {
    return JSON.parse(value) as object;
  } catch {
    return null;
  }
}

/** The names of tags: separated by "|" or commas in a cell, a list of names, or of objects that have one. */
export function tagsOf(value: unknown, isOwn: boolean): string[] {
  // A tag of this service may be called `[1]`.
  const list = isOwn && typeof value === "string" ? null : structureOf(value);
  if (list === null) {
    const text = textOf(value);
    const names = isOwn || text.includes("|") ? text : text.replaceAll(",", "|");
    return splitTags(names).map((name) => name.trim());
  }
  const names = (Array.isArray(list) ? list : [list]).map((each: unknown) => {
    if (typeof each !== "object" || each === null) return textOf(each);
    const { name, label, title, tag } = each as Record<string, unknown>;
    return textOf(name ?? label ?? title ?? tag);
  });
  return names.filter((name) => name !== "");
}

/** Whether a date such as 01/02/2027 has the day first; null if that is not known. */
export type DayFirst = boolean | null;

type Time =
  | { is: "time"; at: Date }
  | { is: "none" }
  /** A date whose day and month cannot be told apart */
  | { is: "ambiguous" }
  | { is: "unknown" };

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const iso =
  /^(\d{4})[-/](\d\d?)[-/](\d\d?)(?:(?:T|\s+)(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
const numeric = /^(\d\d?)([./-])(\d\d?)\2(\d{4})(?:,?\s+(\d\d?):(\d\d)(?::(\d\d))?(?:\s*([ap]m))?)?$/i;
const named =
  /^(?:[a-z]{3,9},?\s+)?(?:(\d\d?)\.?\s+([a-z]{3})[a-z]*\.?|([a-z]{3})[a-z]*\.?\s+(\d\d?)),?\s+(\d{4})(?:,?\s+(\d\d?):(\d\d)(?::(\d\d))?(?:\s*(Z|UTC|GMT|[+-]\d\d:?\d\d))?)?$/i;

/** Reads a time; one without a zone is UTC. */
export function timeOf(text: string, dayFirst: DayFirst): Time {
  if (isNo(text) || /^(?:0000-00-00|0001-01-01)/.test(text)) return { is: "none" };
  if (/^\d{10}(?:\.\d+)?$/.test(text)) return timeAt(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return timeAt(Number(text));
  const [, year, month, day, hour, minute, second, fraction = "0", zone] = iso.exec(text) ?? [];
  if (year !== undefined)
    return timeAt(
      utc([year, month, day], [hour, minute, second]),
      Number(`0.${fraction}`) * 1000 - offsetOf(zone),
    );
  const [, dayA, monthA = "", monthB = "", dayB, named_year, ...clock] = named.exec(text) ?? [];
  const at = months.indexOf((monthA || monthB).toLowerCase());
  if (named_year !== undefined)
    return at === -1
      ? { is: "unknown" }
      : timeAt(utc([named_year, String(at + 1), dayA ?? dayB], clock.slice(0, 3)), -offsetOf(clock[3]));
  return numericTime(text, dayFirst);
}

function numericTime(text: string, dayFirst: DayFirst): Time {
  const [, first, sign, second, year, hour, minute, seconds, half] = numeric.exec(text) ?? [];
  if (year === undefined) return { is: "unknown" };
  const isDayFirst = sign === "." || first === second || dayFirst;
  if (isDayFirst === null) return { is: "ambiguous" };
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  const clock = half && hour ? String((Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0)) : hour;
  return timeAt(utc([year, month, day], [clock, minute, seconds]));
}

/** The evidence of a file's dates about their order: of a date such as 31/01/2027, the day comes first. */
export function orderOf(text: string): "day first" | "month first" | "either" | null {
  const [, first, sign, second] = numeric.exec(text) ?? [];
  if (first === undefined || sign === ".") return null;
  if (Number(first) > 12) return "day first";
  return Number(second) > 12 ? "month first" : first === second ? null : "either";
}

type Part = string | undefined;

/** Milliseconds since the epoch; NaN for a day that no calendar has, such as 2027-02-30. */
function utc(
  [year, month, day]: readonly Part[],
  [hour = "0", minute = "0", second = "0"]: readonly Part[],
): number {
  const parts = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [y, m, d, ...clock] = parts;
  const date = new Date(Date.UTC(y, m - 1, d, ...clock));
  const isReal = date.getUTCMonth() === m - 1 && date.getUTCDate() === d && clock[0] < 24;
  return isReal ? date.getTime() : Number.NaN;
}

function offsetOf(zone: Part): number {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? "") ?? [];
  if (sign === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function timeAt(time: number, more = 0): Time {
  return Number.isNaN(time) ? { is: "unknown" } : { is: "time", at: new Date(time + more) };
}

/** The slug and host of a short URL such as `https://bit.ly/abc`, `bit.ly/abc` or `/abc`; other texts are slugs themselves. */
export function slugOf(text: string): { slug: string; host: string } {
  const start = /^https?:\/\//i.exec(text)?.[0].length ?? 0;
  const slash = text.indexOf("/", start);
  const host = text.slice(start, slash === -1 ? text.length : slash);
  const isShortUrl = start > 0 || (slash !== -1 && (host === "" || (host.includes(".") && !/\s/.test(host))));
  if (!isShortUrl) return { slug: text, host: "" };
  const path = slash === -1 ? "" : text.slice(slash + 1);
  const slug = path.replace(/[?#].*$/s, "").replace(/\/$/, "");
  return { slug: decoded(slug), host: host.replace(/[?#].*$/s, "").toLowerCase() };
}

/** Tags in one cell of a file, separated by "|"; a backslash precedes one that belongs to a name. */
export const joinTags = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll(/[\\|]/g, "\\$&")).join("|");

/** Reads what `joinTags` writes. Empty names are left out. */
const splitTags = (cell: string): string[] =>
  Array.from(cell.matchAll(/(?:\\.|[^\\|]|\\$)+/gsu), ([name]) => name.replaceAll(/\\(.)/gsu, "$1")).filter(
    (name) => name.trim() !== "",
  );
