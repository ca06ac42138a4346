import { hostOfReferrer } from "../../../clicks/derive/referrer.ts";
import { type Address, parseAddress } from "../../../kernel/addresses.ts";
import { createMemo } from "../../../kernel/memo.ts";
import type { VisitorAgent } from "../../redirects.types.ts";
import type { Visit } from "../rule.ts";

const unknownAgent: VisitorAgent = { device: null, os: null, browser: null };

/** The facts about a visit that conditions need. Each is determined once, when the first condition needs it. */
export class Facts {
  readonly #visit: Visit;
  readonly #languages: ReadonlySet<string>;
  #country: string | null | undefined;
  #language: string | null | undefined;
  #agent: VisitorAgent | undefined;
  #referrer: string | null | undefined;
  #query: VisitQuery | undefined;
  #address: Address | null | undefined;

  /** `languages` are all languages that the link's rules name, in lower case. */
  constructor(visit: Visit, languages: ReadonlySet<string>) {
    this.#visit = visit;
    this.#languages = languages;
  }

  /** Milliseconds since the epoch */
  get now(): number {
    return this.#visit.now;
  }

  /** ISO 3166-1 alpha-2; null if unknown */
  get country(): string | null {
    if (this.#country === undefined) this.#country = this.#visit.visitor.country();
    return this.#country;
  }

  /** The language of the link's rules that matches the visitor best, in lower case; null if none does */
  get language(): string | null {
    if (this.#language === undefined) this.#language = bestLanguage(this.acceptLanguage, this.#languages);
    return this.#language;
  }

  /** The visitor's Accept-Language header; "" if unknown */
  get acceptLanguage(): string {
    return this.#visit.visitor.language?.() ?? "";
  }

  get agent(): VisitorAgent {
    this.#agent ??= this.#visit.visitor.agent?.() ?? unknownAgent;
    return this.#agent;
  }

  /** The host that the visitor comes from, in lower case; null if unknown */
  get referrer(): string | null {
    if (this.#referrer === undefined) this.#referrer = hostOfReferrer(this.#visit.visitor.referrer?.() ?? "");
    return this.#referrer;
  }

  get query(): VisitQuery {
    this.#query ??= new VisitQuery(this.#visit.visitor.query?.() ?? "");
    return this.#query;
  }

  get address(): Address | null {
    if (this.#address === undefined) this.#address = parseAddress(this.#visit.visitor.address?.() ?? "");
    return this.#address;
  }
}

/** The parameters of a query by name: URLSearchParams compares each one, and a link may ask for five hundred. */
class VisitQuery {
  readonly #values = new Map<string, Set<string>>();

  constructor(query: string) {
    // Without the ampersand, a question mark at the start would be left out.
    for (const [name, value] of new URLSearchParams(`&${query}`)) {
      const values = this.#values.get(name);
      if (values) values.add(value);
      else this.#values.set(name, new Set([value]));
    }
  }

  has(name: string, value?: string): boolean {
    const values = this.#values.get(name);
    return values !== undefined && (value === undefined || values.has(value));
  }
}

/** Characters and ranges of a header that are read. Browsers send at most about ten ranges. */
const maxHeader = 512;
const maxRanges = 32;
const maxHeaders = 1024;

const rangePattern = /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

const parsed = createMemo(parseRanges, maxHeaders, maxHeader);

/** The language ranges of an Accept-Language header in lower case, the preferred ones first (RFC 9110 section 12.5.4). */
function parseRanges(header: string): readonly string[] {
  const ranges: { range: string; weight: number }[] = [];
  for (const part of header.split(",", maxRanges)) {
    const [, range, weight = "1"] = rangePattern.exec(part) ?? [];
    // `*` has no meaning in a look-up, and a weight of 0 excludes a language.
    if (range !== undefined && Number(weight) > 0)
      ranges.push({ range: range.toLowerCase(), weight: Number(weight) });
  }
  return ranges.toSorted((left, right) => right.weight - left.weight).map(({ range }) => range);
}

/**
 * The tag that suits a visitor best, by the look-up of RFC 4647 section 3.4; null if none does. `tags` are in lower case.
 * Malformed parts of the header are skipped, and so is what follows its 512th character.
 */
export function bestLanguage(header: string, tags: ReadonlySet<string>): string | null {
  if (header === "" || tags.size === 0) return null;
  for (const range of parsed.get(header)) {
    for (let tag = range; tag !== ""; tag = truncated(tag)) if (tags.has(tag)) return tag;
  }
  return null;
}

/** Removes the last subtag. Tags never end with a single letter, so the look-up's rule for those needs no code. */
const truncated = (tag: string): string => tag.slice(0, Math.max(tag.lastIndexOf("-"), 0));
