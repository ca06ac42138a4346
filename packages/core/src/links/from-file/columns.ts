/** Which columns of a file are what, for the console and for imports over the API; pure. */

import { type Elsewhere, elsewhereColumns, elsewhereOf } from "./elsewhere.ts";
import { hidden } from "../../kernel/hidden.ts";
import { splitTags } from "../../tags/cell.ts";

/** What is taken at once */
export const maxImportBytes = 20 * 1024 * 1024;
export const maxImportRows = 100_000;

/** Where a file can be said to be from; `list` is any other file. */
export const importSources = [
  "bitly",
  "dub",
  "kutt",
  "short.io",
  "rebrandly",
  "shlink",
  "yourls",
  "sink",
  "terse",
  "list",
] as const;

/** What of a link can be read from a file. */
export const fieldNames = ["url", "slug", "title", "tags", "expires_at"] as const;
export type FieldName = (typeof fieldNames)[number];

/** The number of the column of each field; null for none. */
export type Mapping = Record<FieldName, number | null>;

/** What a file says of a link's past, which an import in the background takes over. */
export interface Past {
  /** ISO 8601 */
  created_at?: string;
  /** How many clicks the other service counted */
  clicks?: number;
}

export interface Recognized {
  /** The service that exports files with such a header; null if it is not known */
  source: string | null;
  /** False if the first line is already a link */
  hasHeader: boolean;
  mapping: Mapping;
  /** The number of the column that has passwords, or says which links have one; null for none */
  password: number | null;
  /** Numbers of the columns that say which links do not work there, by name */
  off: Readonly<Record<string, number>>;
  /** Numbers of the columns with other places that a link leads to, by name */
  elsewhere: Readonly<Record<string, number>>;
  /** Numbers of the columns with the time of creation, and with clicks, whose sum counts */
  past: { created_at: number | null; clicks: readonly number[] };
}

/** Names of columns without spaces and signs, in lower case; the first name that a file has is taken. */
const names: Record<FieldName, readonly string[]> = {
  url: ["destinationurl", "destination", "longurl", "originalurl", "targeturl", "target", "url", "link"],
  slug: [
    "slug",
    "keyword",
    "shortcode",
    "slashtag",
    "backhalf",
    "customalias",
    "alias",
    "path",
    "address",
    "key",
    "shortlink",
    "shorturl",
    "bitlink",
    "link",
  ],
  title: ["title", "name", "description"],
  tags: ["tags", "labels"],
  expires_at: ["expiresat", "expiration", "expirationdate", "expirein", "validuntil", "ttl"],
};

const passwordNames = ["password", "haspassword"];
const falseWords: ReadonlySet<string> = new Set(["", "0", "false", "no", "f", "n", "null"]);
/** Columns that say whether a link works there, and what they say of one that does not. */
const switches: Readonly<Record<string, (cell: string) => boolean>> = {
  isactive: (cell) => cell !== "" && falseWords.has(cell),
  disabledat: (cell) => !falseWords.has(cell),
  banned: (cell) => !falseWords.has(cell),
};
/** Whether a field says that a link works: then false is another thing than no value. */
export const isSwitch = (name: string): boolean => Object.hasOwn(switches, plain(name));

const creationNames = ["createdat", "datecreated", "created", "timestamp"];
const clickNames = ["clicks", "visitcount", "visits"];
/** This service has two: clicks with a time, and those of another service before. */
const ownClickNames = ["clickcount", "importedclicks"];

/** Columns that only one service has together: those of its CSV, or the members of its JSON. */
const signatures: readonly (readonly [source: string, ...columns: string[]])[] = [
  ["Terse", "clickcount", "destination", "slug"],
  ["Dub", "destinationurl", "shortlink"],
  ["Sink", "url", "slug", "createdat", "id"],
  ["Bitly", "longurl", "bitlink"],
  ["Bitly", "longurl", "link"],
  ["Rebrandly", "slashtag", "destination"],
  ["Short.io", "originalurl", "path"],
  ["Short.io", "originalurl", "shorturl"],
  ["Kutt", "address", "target"],
  ["Shlink", "longurl", "shortcode"],
  ["YOURLS", "keyword", "url"],
];

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const isUrl = (cell: string) => /^\s*https?:\/\//i.test(cell);
const noMore = { password: null, off: {}, elsewhere: {}, past: { created_at: null, clicks: [] } };
const none: Mapping = { url: null, slug: null, title: null, tags: null, expires_at: null };

/** Recognizes the columns of a file by its first line. */
export function recognize(first: readonly string[]): Recognized {
  const urlAt = first.findIndex(isUrl);
  if (urlAt !== -1) return { source: null, hasHeader: false, mapping: { ...none, url: urlAt }, ...noMore };
  const header = first.map(plain);
  const source = signatures.find(([, ...columns]) => columns.every((name) => header.includes(name)))?.[0];
  const mapping = { ...none };
  const taken = new Set<number>();
  for (const field of fieldNames) {
    const name = names[field].find((known) => header.includes(known) && !taken.has(header.indexOf(known)));
    if (name === undefined) continue;
    mapping[field] = header.indexOf(name);
    taken.add(header.indexOf(name));
  }
  const oneOf = (known: readonly string[]) =>
    known.map((name) => header.indexOf(name)).find((at) => at !== -1) ?? null;
  const clicks = oneOf(clickNames);
  const past = {
    created_at: oneOf(creationNames),
    clicks:
      source === "Terse"
        ? ownClickNames.map((name) => header.indexOf(name)).filter((at) => at !== -1)
        : clicks === null
          ? []
          : [clicks],
  };
  return {
    source: source ?? null,
    hasHeader: true,
    mapping,
    password: oneOf(passwordNames),
    off: Object.fromEntries(
      Object.keys(switches)
        .filter((name) => header.includes(name))
        .map((name) => [name, header.indexOf(name)]),
    ),
    elsewhere: elsewhereColumns(source ?? null, header),
    past,
  };
}

/** At most this many names, and characters of each: a file may have any */
const shownColumns = { count: 100, length: 100 };

/** The names of the columns that nothing is taken from. */
export function columnsNotTaken(
  first: readonly string[],
  { hasHeader, mapping, password, off, elsewhere, past }: Recognized,
): string[] {
  if (!hasHeader) return [];
  const taken = new Set<number | null>([
    ...Object.values(mapping),
    ...Object.values(off),
    ...Object.values(elsewhere),
    password,
    past.created_at,
    ...past.clicks,
  ]);
  return first
    .filter((name, at) => !taken.has(at) && name.trim() !== "")
    .slice(0, shownColumns.count)
    .map((name) => name.trim().slice(0, shownColumns.length).toWellFormed());
}

/** Reads a link's past from a row; what is not a time or a number is left out. */
export function pastOf(row: readonly string[], { past }: Pick<Recognized, "past">): Past {
  const created_at = past.created_at === null ? null : creationIn(row[past.created_at]?.trim() ?? "");
  const counts = past.clicks.map((at) => row[at]?.trim() ?? "").filter((cell) => /^\d{1,12}$/.test(cell));
  const clicks = counts.reduce((sum, cell) => sum + Number(cell), 0);
  return { ...(created_at !== null && { created_at }), ...(clicks > 0 && { clicks }) };
}

function creationIn(text: string): string | null {
  if (!/^(?:\d{4}-\d\d-\d\d(?:$|[T ])|\d{10}$|\d{13}$)/.test(text)) return null;
  const time = timeOf(text);
  const isPossible = time.getTime() >= Date.UTC(2000, 0) && time.getTime() <= Date.now();
  return isPossible ? time.toISOString() : null;
}

/** A time without a zone is UTC. Seconds or milliseconds since 1970 are times, too. */
function timeOf(text: string): Date {
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return new Date(Number(text));
  const hasNoZone = /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(text);
  return new Date(hasNoZone ? `${text.replace(" ", "T")}Z` : text);
}

/** A link as it is sent. Fields that are empty in the file are left out. */
export interface Sent extends Elsewhere {
  url: string;
  slug?: string;
  title?: string;
  tags?: string[];
  domain?: string;
  expires_at?: string;
  /** `hidden` if the file has it not as visitors enter it: the service refuses such a link, which must not be open */
  password?: string;
  /** If the link does not work there: the service refuses it, because a new link would work */
  is_active?: 0;
}

/** Reads a link from a row. */
export function linkOf(
  row: readonly string[],
  { mapping, source, password: passwordAt, off, elsewhere }: Omit<Recognized, "hasHeader" | "past">,
  domain: string | null,
): Sent {
  const cell = (field: FieldName) => {
    const at = mapping[field];
    return at === null ? "" : withoutApostrophe(row[at]?.trim() ?? "");
  };
  const slug = slugIn(cell("slug"));
  const expiry = cell("expires_at");
  const tags = tagsIn(cell("tags"), source);
  const password = passwordIn(passwordAt === null ? "" : (row[passwordAt]?.trim() ?? ""), source);
  return {
    url: cell("url"),
    ...(slug && { slug }),
    ...(cell("title") && { title: cell("title") }),
    ...(tags.length > 0 && { tags }),
    ...(expiry && { expires_at: timeIn(expiry) }),
    ...(domain && { domain }),
    ...(password && { password }),
    ...(isOff(row, off) && { is_active: 0 }),
    ...elsewhereOf(row, source, elsewhere),
  };
}

const isOff = (row: readonly string[], off: Recognized["off"]): boolean =>
  Object.entries(off).some(([name, at]) => switches[name]?.(row[at]?.trim().toLowerCase() ?? "") ?? false);

/** Sink has the password itself, if it is not a hash; others only say whether there is one. */
function passwordIn(text: string, source: string | null): string {
  if (falseWords.has(text.toLowerCase())) return "";
  const isPlain = source === "Sink" && !/^(?:\$|pbkdf2|scrypt|argon2|bcrypt|sha\d)/i.test(text);
  return isPlain ? text : hidden;
}

/** Exports put an apostrophe before cells that a spreadsheet would run as a formula. */
const withoutApostrophe = (text: string) => text.replace(/^'(?=[=+\-@])/, "");

/** Others put commas between tags, where this service puts "|". */
const tagsIn = (text: string, source: string | null): string[] =>
  splitTags(source === "Terse" || text.includes("|") ? text : text.replaceAll(",", "|")).map((name) =>
    name.trim(),
  );

/** The slug of a short URL such as `https://bit.ly/abc`, `bit.ly/abc` or `/abc`; other texts are slugs themselves. */
function slugIn(text: string): string {
  const [, path] = /^(?:https?:\/\/[^/\s]*|[^/\s]*\.[^/\s]*|)\/(.*)$/i.exec(text) ?? [];
  if (path === undefined) return text;
  const slug = path.replace(/[?#].*$/, "").replace(/\/$/, "");
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** ISO 8601 if it is a time; the service refuses other texts. */
function timeIn(text: string): string {
  const time = timeOf(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}
