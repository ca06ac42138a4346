/** A row of a file as a link; pure. */

import { fromInert } from "./csv.ts";
import { hidden, withHttps } from "./text.ts";
import type { Columns, Kind } from "./columns.ts";
import { type Routes, routesOf } from "./routes.ts";
import { type DayFirst, isNo, isYes, slugOf, structureOf, tagsOf, textOf, timeOf } from "./values.ts";

/** A link as it is sent. Fields that are empty in the file are left out. */
export interface SentLink extends Routes {
  url: string;
  slug?: string;
  title?: string;
  tags?: string[];
  notes?: string;
  domain?: string;
  starts_at?: string;
  expires_at?: string;
  click_limit?: number;
  fallback_url?: string;
  redirect_status?: number;
  forward_path?: true;
  preview?: object;
  qr?: object;
  /** `hidden` if the file has it not as visitors enter it: the service refuses such a link, which must not be open */
  password?: string;
  /** If the link does not work there */
  is_active?: 0;
}

/** The other service's count and time of creation, which a background import keeps. */
export interface ImportedTotals {
  /** ISO 8601 */
  created_at?: string;
  /** How many clicks the other service counted */
  clicks?: number;
}

export interface ReadRow {
  /** Its number in the file, from 1 */
  row: number;
  link: SentLink;
  totals: ImportedTotals;
  /** Why the row is refused, whatever the service says */
  refusal?: string;
}

/** How the rows of a file are read. */
export interface RowReader {
  source: string | null;
  columns: Columns;
  /** The names of the columns for people */
  nameOf: (at: number) => string;
  dayFirst: DayFirst;
  isCsv: boolean;
  /** The host of all links, if the caller says one; otherwise each link has that of the file */
  domain: string | null;
  /** The service's own host */
  ownHost: string | null;
}

/** Reads one row. `lost` is called with each column whose value is not imported. */
export function linkOf(
  row: number,
  valueOf: (at: number) => unknown,
  reader: RowReader,
  lost: (at: number) => void = () => {},
): ReadRow {
  const { source, columns, nameOf, isCsv } = reader;
  let refusal: string | undefined;
  const refuse = (at: number, why: string) => (refusal ??= `${nameOf(at)}: ${why}`);
  const textAt = (at: number) => {
    const text = textOf(valueOf(at));
    return isCsv ? fromInert(text) : text;
  };
  /** The texts of a kind, without what databases write for a missing one. */
  const written = (kind: Kind): [at: number, text: string][] =>
    (columns[kind] ?? [])
      .map((at): [number, string] => [at, textAt(at)])
      .filter(([, text]) => text !== "" && text !== "NULL" && text !== "\\N");
  /** The columns of a kind that have a value, with it. */
  const filled = (kind: Kind): [at: number, text: string][] =>
    (columns[kind] ?? []).map((at): [number, string] => [at, textAt(at)]).filter(([, text]) => !isNo(text));
  const first = (kind: Kind) => filled(kind)[0]?.[1] ?? "";
  const line = (text: string) =>
    text
      .split(/[\r\n]+/)
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join(" ");

  const link: SentLink = { url: urlIn(), ...slugAndDomain() };
  const totals = totalsIn();
  const [title, ...otherTitles] = written("title");
  if (title) link.title = line(title[1]);
  for (const [at, text] of otherTitles) if (text !== title?.[1]) lost(at);
  const tags = (columns.tags ?? []).flatMap((at) =>
    tagsOf(isCsv ? textAt(at) : valueOf(at), source === "Terse"),
  );
  if (tags.length > 0) link.tags = tags.map(line);
  const notes = (columns.notes ?? []).map(notesAt).filter((text) => text.trim() !== "");
  if (notes.length > 0) link.notes = notes.join("\n");
  times();
  limits();
  closed();
  const { rules, lost: lostRules } = routesOf(
    (kind) => (columns[kind] ?? []).map((at) => [at, isCsv ? textAt(at) : valueOf(at)] as const),
    link.url,
  );
  Object.assign(link, rules);
  for (const at of lostRules) lost(at);
  for (const kind of ["preview", "qr"] as const) {
    for (const at of columns[kind] ?? []) {
      const value = structureOf(isCsv ? textAt(at) : valueOf(at));
      if (value !== null) link[kind] = value;
      else if (!isNo(textAt(at))) lost(at);
    }
  }
  if (JSON.stringify(link).includes("\uFFFD"))
    refusal ??=
      "has a broken character (\uFFFD): the file was saved in another encoding; export it again as UTF-8";
  return { row, link, totals, ...(refusal !== undefined && { refusal }) };

  function urlIn(): string {
    const [taken, ...further] = written("url");
    if (taken === undefined) return "";
    const [column, text] = taken;
    for (const [at, each] of further) if (each !== text) lost(at);
    if (text.indexOf("}}") > text.indexOf("{{") && text.includes("{{"))
      refuse(column, "has a placeholder, which a link here cannot have");
    return withHttps(text) ?? text;
  }

  /** Notes of this service are as they were, with blanks at their ends. */
  function notesAt(at: number): string {
    const value = valueOf(at);
    if (source !== "Terse" || typeof value !== "string") return textAt(at);
    return isCsv ? fromInert(value) : value;
  }

  function slugAndDomain(): Pick<SentLink, "slug" | "domain"> {
    const lists = (columns.slug ?? []).flatMap((at) => {
      const value = valueOf(at);
      return Array.isArray(value) ? value.map((each): [number, string] => [at, textOf(each)]) : [];
    });
    const ids = filled("id").filter(([at, text]) => isShortUrl(text) || lost(at));
    const found = [...lists, ...written("slug"), ...ids].map(([at, text]) => ({ at, ...slugOf(text) }));
    const slug = found.find((each) => each.slug !== "")?.slug;
    const host = found.find((each) => each.host !== "" && each.slug === (slug ?? ""))?.host ?? "";
    for (const each of found) if (each.slug !== "" && each.slug !== slug) lost(each.at);
    const cell = first("domain")
      .replace(/^https?:\/\//i, "")
      .replace(/\/.*$/, "")
      .toLowerCase();
    const domain = reader.domain ?? (cell === "default" || cell === "" ? host : cell);
    return {
      ...(slug !== undefined && { slug }),
      ...(domain !== "" && domain !== reader.ownHost && { domain }),
    };
  }

  function totalsIn(): ImportedTotals {
    const created: ImportedTotals = {};
    for (const [at, text] of filled("created_at")) {
      const time = timeOf(text, reader.dayFirst);
      const isPossible =
        time.is === "time" && time.at.getTime() >= Date.UTC(2000, 0) && time.at.getTime() <= Date.now();
      if (isPossible) created.created_at ??= time.at.toISOString();
      else lost(at);
    }
    const counts = [filled("clicks")[0], filled("imported_clicks")[0]].map((each) =>
      countIn(each?.[1] ?? ""),
    );
    const clicks = counts.reduce((sum, count) => sum + count, 0);
    return { ...created, ...(clicks > 0 && { clicks }) };
  }

  function times(): void {
    for (const kind of ["starts_at", "expires_at"] as const) {
      for (const [at, text] of filled(kind)) {
        const time = timeOf(text, reader.dayFirst);
        if (time.is === "time") {
          const iso = time.at.toISOString();
          const before = link[kind];
          // Of two ends the first counts, of two starts the last.
          if (before === undefined || iso < before === (kind === "expires_at")) link[kind] = iso;
        } else if (time.is !== "none")
          refuse(
            at,
            isYes(text)
              ? "limits when the link is open without saying when"
              : `"${shown(text)}" is not a time; write it as 2027-01-31T12:00:00Z`,
          );
      }
    }
    for (const [at, text] of filled("fallback_url")) {
      const url = withHttps(text);
      if (url === null) lost(at);
      else link.fallback_url ??= url;
    }
  }

  function limits(): void {
    const used = countIn(first("clicks"));
    const remaining: [clicks: number, at: number][] = [];
    for (const [at, text] of filled("click_limit")) {
      if (/once|one|single|destruct|burn/i.test(nameOf(at)) && isYes(text)) remaining.push([1 - used, at]);
      else if (/^\d{1,10}$/.test(text)) remaining.push([Number(text) - used, at]);
      else if (!/^-\d+$/.test(text)) refuse(at, `"${shown(text)}" is not a number of clicks`);
    }
    for (const [at, text] of (columns.remaining ?? []).map((each) => [each, textAt(each)] as const)) {
      if (/^\d{1,10}$/.test(text)) remaining.push([Number(text), at]);
      else if (!isNo(text)) refuse(at, `"${shown(text)}" is not a number of clicks`);
    }
    const [least] = remaining.toSorted(([left], [right]) => left - right);
    if (least === undefined) return;
    const [clicks, at] = least;
    if (clicks > 0) link.click_limit = clicks;
    else refuse(at, "the link has reached its click limit");
  }

  function closed(): void {
    for (const [at, text] of filled("off")) {
      if (/delet|trash|remov/i.test(nameOf(at))) refuse(at, `"${shown(text)}": the link is deleted there`);
      link.is_active = 0;
    }
    for (const at of columns.on ?? []) {
      const text = textAt(at);
      if (text !== "" && isNo(text)) link.is_active = 0;
    }
    for (const [at, text] of filled("status")) {
      if (
        /^(?:active|enabled|live|published|ok|online|approved|public|ready|running|valid|working|up|on|open|true|1|200)$/i.test(
          text,
        )
      )
        continue;
      if (/^30[1278]$/.test(text)) link.redirect_status = Number(text);
      else if (/^archived$/i.test(text) && keepsArchived()) lost(at);
      else if (
        /^(?:inactive|disabled|paused|suspended|banned|blocked|off|archived|draft|stopped|offline)$/i.test(
          text,
        )
      )
        link.is_active = 0;
      else refuse(at, `"${shown(text)}" does not say whether the link works`);
    }
    for (const [at, text] of filled("archived"))
      if (!keepsArchived())
        refuse(at, `"${shown(text)}": archived links may not work there; leave the column out if they do`);
    for (const at of columns.restricted ?? []) {
      const text = textAt(at);
      const list = structureOf(valueOf(at));
      const isOpen =
        /^(?:public|everyone|anyone|anybody|all|any|open|unlisted|\*)$/i.test(text) || isNo(text);
      const isLimited = list === null ? !isOpen : Object.keys(list).length > 0;
      if (isLimited) refuse(at, "limits who may follow the link; a link here would be open to everyone");
    }
    for (const [at, text] of filled("password")) {
      link.password = passwordIn(text, source);
      if (link.password === hidden && /secret/i.test(nameOf(at)))
        refuse(at, "only people who know its secret can follow it; a link here would be open to everyone");
    }
    for (const at of columns.public ?? []) {
      const text = textAt(at);
      // Rebrandly's `isPublic` is about its own pages.
      if (text !== "" && isNo(text) && source !== "Rebrandly")
        refuse(at, "limits who may follow the link; a link here would be open to everyone");
    }
    for (const [at, text] of filled("redirect_status")) {
      if (/^4\d\d$/.test(text)) link.is_active = 0;
      const status = /^30\d$/.test(text) ? Number(text) : statusWords[text.toLowerCase()];
      if (status === undefined) lost(at);
      else link.redirect_status = status;
    }
    for (const [at, text] of filled("forward_path")) {
      if (isYes(text)) link.forward_path = true;
      else lost(at);
    }
  }

  /** Where archived links still redirect */
  function keepsArchived(): boolean {
    return source !== null && ["Bitly", "Dub", "Short.io", "Terse"].includes(source);
  }
}

/** Whether a text is a short URL without its scheme, as ids of Bitly are. */
const isShortUrl = (text: string): boolean => /^[^\s/.]+\.[^\s/]+\/[^/]+$/.test(text);

const statusWords: Readonly<Record<string, number>> = {
  permanent: 301,
  "moved permanently": 301,
  temporary: 302,
  found: 302,
};

const countIn = (text: string): number => {
  const digits = text.replaceAll(/(?<=\d)[,.' \u00A0\u202F](?=\d{3}\b)/g, "");
  return /^\d{1,12}$/.test(digits) ? Number(digits) : 0;
};

const shown = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Sink has the password itself, if it is not a hash; others only say whether there is one. */
const passwordIn = (text: string, source: string | null): string =>
  source === "Sink" && !/^(?:\$|pbkdf2|scrypt|argon2|bcrypt|sha\d)/i.test(text) ? text : hidden;
