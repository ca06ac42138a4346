import { raw } from "@mikro-orm/core";
import * as z from "zod";
import { withListSlot, pageFields, pageMeta, pageOf } from "../validation/pagination.ts";
import { hostToAscii } from "../kernel/host-names.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { isPlain, notPlain, textUpTo } from "../validation/strings.ts";
import { maxDestinationLength } from "../redirects/index.ts";
import { LinkEntity } from "./link.entity.ts";
import { linkSchema } from "./link.schema.ts";
import { toLinks } from "./link.view.ts";

const fields = z
  .object({
    ...pageFields("Links", 20),
    search: textUpTo(maxDestinationLength)
      .refine(isPlain, notPlain)
      .describe(
        "Part of the slug, title or destination, case-insensitive; no character has a special meaning",
      )
      .optional(),
  })
  .prefault({});

/** Lists the account's links, newest first; by `created_at` and `id`, so that pages neither overlap nor leave gaps. */
export const listLinks = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links",
      tags: ["Links"],
      summary: "List links",
      successDescription: "One page of the account's links, newest first",
    },
  })
  .input(fields)
  .output(pageOf(linkSchema))
  .query(async ({ ctx, input: { page, limit, search } }) => {
    const where = search ? { $or: matching(search) } : {};
    const offset = (page - 1) * limit;
    const { rows, total } = await withListSlot(ctx.deps.pool, ctx.account.id, async () => {
      const found = await ctx.em.find(LinkEntity, where, {
        orderBy: [{ created_at: "desc" }, { id: "desc" }],
        limit,
        offset,
        // Otherwise the ORM would keep a copy of each link, to find changes.
        disableIdentityMap: true,
      });
      // The last page tells the number of all: a search that finds little need not be made twice.
      const isLast = found.length < limit && (found.length > 0 || offset === 0);
      return { rows: found, total: isLast ? offset + found.length : await ctx.em.count(LinkEntity, where) };
    });
    return {
      data: await toLinks(ctx, rows),
      meta: pageMeta(page, limit, total),
    };
  });

/** Most matches are in destinations, so these are compared first. */
const matching = (search: string) => [
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
