import { raw } from "@mikro-orm/core";
import { hostToAscii } from "../kernel/host-names.ts";

/** Conditions for links whose slug, title or destination contains a text. Most matches are in destinations, so these are compared first. */
export const matching = (search: string) => [
  ...destinationSpellings(search).flatMap((text) => [
    contains(indexedDestination, text),
    { [longDestination]: [], ...contains('destination collate "C"', text) },
  ]),
  contains("slug", search.normalize("NFC")),
  contains("title", search),
];

/** Only the first characters of a destination are in the search index; a second one has the links with longer ones. */
const indexedDestination = "left(destination, 400)";
const longDestination = raw("octet_length(destination) > 400");

/** The index looks up every trigram of a search; beyond this many characters, comparing rows is faster. */
const maxIndexedCharacters = 50;

/** The condition that a column or expression contains a text, case-insensitive. */
function contains(expression: string, text: string) {
  const start = Array.from(text).slice(0, maxIndexedCharacters).join("");
  return {
    [raw(expression)]: { $ilike: `%${start.replace(/[\\%_]/g, "\\$&")}%` },
    ...(start !== text && { [raw(`strpos(lower(${expression}), lower(?)) > 0`, [text])]: [] }),
  };
}

/** Destinations are ASCII: other characters are percent-encoded, and in host names written in Punycode (RFC 3492). */
function destinationSpellings(text: string): string[] {
  if (/^[\u0000-\u007F]*$/.test(text)) return [text];
  const host = hostToAscii(text);
  return [encodeURI(text), ...(host.includes("xn--") ? [host] : [])];
}
