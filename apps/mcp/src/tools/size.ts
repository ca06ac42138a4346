import type { Arguments } from "./schemas.ts";

/** Tokens that an answer takes unless its call asks for more rows or other fields, and at most. */
export const usualTokens = 1_400;
export const maxTokens = 5_600;

/** Room for the note on cuts, and for errors of the estimate: random texts take up to a sixth more. */
const reserve = 1 / 5;

/** Longer texts within lists are cut off before rows are left out, to this length. */
const longText = 200;
const cutText = 120;
/** No text is made shorter than this, in characters. */
const leastText = 40;

/** Words with the sign before them, digits by three, characters of other scripts, blanks and signs: what tokenizers split texts into. */
const parts =
  /[^A-Za-z\d\s\u0080-\uFFFF]?(?:[A-Z]?[a-z]+|[A-Z]+)|\d{1,3}|[^\u0000-\u007F]+|\s+|[^A-Za-z\d\s\u0080-\uFFFF]+?(?=[^A-Za-z\d\s\u0080-\uFFFF]?[A-Za-z])|[^A-Za-z\d\s\u0080-\uFFFF]+/g;

/** About how many tokens a model reads; a test compares it with a tokenizer. Counting exactly would take 40 MB of tables. */
export function tokensIn(text: string): number {
  let tokens = 0;
  let isAfterWord = false;
  for (const [part] of text.matchAll(parts)) {
    tokens += tokensOfPart(part, isAfterWord);
    isAfterWord = /[A-Za-z]$/.test(part);
  }
  return Math.ceil(tokens);
}

function tokensOfPart(part: string, isAfterWord: boolean): number {
  const [first = ""] = part;
  if (first > "\u007F") return Array.from(part).reduce((sum, each) => sum + (each.length > 1 ? 2 : 0.8), 0);
  if (/[A-Za-z]$/.test(part)) {
    const letters = /[A-Za-z]/.test(first) ? part.length : part.length - 1;
    // Parts of random slugs, which are split further.
    if (letters <= 2 || (isAfterWord && /[A-Z]/.test(first))) return 1.2;
    return letters <= 10 ? 1 : letters / 3;
  }
  if (/\d/.test(first)) return 1;
  if (/\s/.test(first)) return part === " " ? 0.1 : part.length / 3;
  return Math.max(1, part.length / 3);
}

const weightOf = (value: unknown): number => tokensIn(JSON.stringify(value) ?? "");

/** No text has more characters to a token: a much longer one is not counted, which would take long. */
const mostCharacters = 11;

function fits(value: unknown, room: number): boolean {
  const text = JSON.stringify(value);
  return text.length <= room * mostCharacters && tokensIn(text) <= room;
}

/** A list or a text in an answer, where it is, and how it is replaced */
interface Node {
  path: string;
  value: unknown[] | string;
  isInList: boolean;
  replace(value: unknown): void;
}

/** Lines of a sentence for people, and characters of one. */
const maxLines = 20;
const maxLine = 200;

/** A sentence for people, which repeats the answer and so can be dropped silently. */
export function shortenText(text: string): string {
  const lines = text.split("\n");
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length <= maxLine ? line : `${line.slice(0, maxLine - 1).toWellFormed()}…`));
  return [...shown, ...(lines.length > maxLines ? [`and ${lines.length - maxLines} more`] : [])].join("\n");
}

/**
 * Shortens an answer to this many tokens: first long texts in lists, then the heaviest list or text, and so on. Returns
 * what was cut, such as "timeseries: 60 of 720"; nothing if the answer fits. `file` names a field that is left out instead.
 */
export function shortenTo(
  answer: Arguments,
  room: number,
  file?: string,
): { answer: Arguments; cuts: string[] } {
  if (fits(answer, room)) return { answer, cuts: [] };
  const max = Math.floor(room * (1 - reserve));
  if (file !== undefined && answer[file] !== undefined)
    return { answer: { ...answer, [file]: "" }, cuts: [`${file}: none`] };
  const whole = { answer: structuredClone(answer) };
  const lengths = new Map<string, string>();
  for (const { path, value, isInList, replace } of nodesOf(whole)) {
    if (typeof value !== "string" || !isInList || value.length <= longText) continue;
    replace(`${value.slice(0, cutText).toWellFormed()}…`);
    lengths.set(withoutPlaces(path), `first ${cutText} characters`);
  }
  for (;;) {
    const weight = weightOf(whole.answer);
    if (weight <= max) break;
    const [heaviest] = nodesOf(whole)
      .filter(({ value }) => value.length > (typeof value === "string" ? leastText + 1 : 1))
      .map((node) => ({ ...node, weight: weightOf(node.value) }))
      .toSorted((a, b) => b.weight - a.weight);
    if (!heaviest) break;
    const { path, value, replace } = heaviest;
    const left = Math.max(0, heaviest.weight - (weight - max));
    if (typeof value === "string") {
      const kept = Math.max(
        leastText,
        Math.min(value.length - 1, Math.floor((value.length * left) / heaviest.weight)),
      );
      replace(`${value.slice(0, kept).toWellFormed()}…`);
      lengths.set(withoutPlaces(path), `first ${kept} characters`);
    } else {
      const kept = Math.max(1, rowsIn(value, left));
      replace(value.slice(0, kept));
      lengths.set(withoutPlaces(path), `${kept} of ${value.length}`);
    }
  }
  return { answer: whole.answer, cuts: Array.from(lengths, ([path, length]) => `${path}: ${length}`) };
}

/** How many of the first rows fit; fewer than all. */
function rowsIn(rows: unknown[], room: number): number {
  let left = room - 2;
  const fitting = rows.findIndex((row) => (left -= weightOf(row) + 1) < 0);
  return Math.min(rows.length - 1, fitting === -1 ? rows.length : fitting);
}

const withoutPlaces = (path: string) => path.replaceAll(/\.\d+(?=\.|$)/g, "[]").replace(/^answer\./, "");

/** All lists and texts within a value, outer ones first. */
function nodesOf(owner: unknown, path = "", isInList = false): Node[] {
  if (typeof owner !== "object" || owner === null) return [];
  return Object.entries(owner).flatMap(([name, value]: [string, unknown]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const inList = isInList || Array.isArray(owner);
    const inner = nodesOf(value, at, inList);
    if (typeof value !== "string" && !Array.isArray(value)) return inner;
    const replace = (other: unknown) => {
      (owner as Record<string, unknown>)[name] = other;
    };
    return [{ path: at, value, isInList: inList, replace }, ...inner];
  });
}
