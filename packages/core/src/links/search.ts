import type { AccountCall } from "./call.ts";
import { raw } from "@mikro-orm/core";
import { hostToAscii } from "../kernel/host-names.ts";
import { placeOfUrl } from "./locate.ts";
import { normalizeSlug } from "../kernel/slug.ts";

/**
 * Conditions for links whose slug, title or destination contains a text, or whose short URL it is. Most matches are in
 * destinations, so these are compared first.
 */
export async function matching(ctx: AccountCall, search: string) {
  const place = search.includes("/") ? await placeOfUrl(ctx, search) : null;
  const slugs = new Set([search.normalize("NFC"), normalizeSlug(search)]);
  return [
    ...(place === null ? [] : [place]),
    ...destinationSpellings(search).flatMap((text) => [
      contains(foldAscii, "left(destination, 400)", text),
      { [longDestination]: [], ...contains(foldAscii, "destination", text) },
    ]),
    ...[...slugs].map((slug) => contains(foldCase, "slug", slug)),
    contains(foldCase, "title", search),
  ];
}

type Fold = (text: string) => string;
/** The same in every locale of a database, unlike `ilike`: in Turkish, I is not the capital of i. */
const foldCase: Fold = (text) => `fold_case(${text})`;
/** For destinations, which are ASCII. */
const foldAscii: Fold = (text) => `lower(${text} collate "C")`;

/** Only the first characters of a destination are in the search index; a second one has the links with longer ones. */
const longDestination = raw("octet_length(destination) > 400");

/** The index looks up every trigram of a search; beyond this many characters, comparing rows is faster. */
const maxIndexedCharacters = 50;

/** The condition that an expression contains a text, case-insensitive. */
function contains(fold: Fold, expression: string, text: string) {
  const start = Array.from(text).slice(0, maxIndexedCharacters).join("");
  const pattern = `%${start.replace(/[\\%_]/g, "\\$&")}%`;
  return {
    [raw(`${fold(expression)} like ${fold("?")}`, [pattern])]: [],
    ...(start !== text && { [raw(`strpos(${fold(expression)}, ${fold("?")}) > 0`, [text])]: [] }),
  };
}

/** Destinations are ASCII: other characters are percent-encoded, and in host names written in Punycode (RFC 3492). */
function destinationSpellings(text: string): string[] {
  if (/^[\u0000-\u007F]*$/.test(text)) return [text];
  const host = hostToAscii(text);
  return [encodeURI(text), ...(host.includes("xn--") ? [host] : [])];
}
