import { domainToASCII } from "node:url";
import * as z from "zod";
import { whole } from "../fields.ts";
import { pageMeta, pageOf } from "../page.ts";
import { accountProcedure } from "../procedure.ts";
import { textUpTo } from "../text.ts";
import { LinkEntity } from "./link.entity.ts";
import { linkSchema } from "./link.schema.ts";
import { toLinks } from "./link.view.ts";

const fields = z
  .object({
    page: whole(1, 1_000_000).default(1).describe("1 is the first"),
    limit: whole(1, 100).default(20).describe("Links a page"),
    search: textUpTo(200)
      .refine((part) => !part.includes("\0") && part.isWellFormed(), "must not contain control characters")
      .describe("A part of the slug, title or destination, in any case; no character has a special meaning")
      .optional(),
  })
  .prefault({});

/** The account's links, newest first; `created_at`, then `id`, so that pages neither overlap nor leave gaps. */
export const listLinks = accountProcedure
  .meta({
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
    const [rows, total] = await ctx.em.findAndCount(LinkEntity, where, {
      orderBy: [{ created_at: "desc" }, { id: "desc" }],
      limit,
      offset: (page - 1) * limit,
    });
    return {
      data: await toLinks(ctx, rows),
      meta: pageMeta(page, limit, total),
    };
  });

function matching(search: string) {
  const like = (text: string) => ({ $ilike: `%${text.replace(/[\\%_]/g, "\\$&")}%` });
  return [
    { slug: like(search) },
    { title: like(search) },
    ...destinationSpellings(search).map((text) => ({ destination: like(text) })),
  ];
}

/** Destinations are ASCII: other letters are percent-encoded there, and host names with them are in Punycode (RFC 3492). */
function destinationSpellings(text: string): string[] {
  if (/^[\u0000-\u007F]*$/.test(text)) return [text];
  const host = domainToASCII(text);
  return [encodeURI(text), ...(host.includes("xn--") ? [host] : [])];
}
