import { p } from "@mikro-orm/core";
import type { Call } from "./call.ts";
import * as z from "zod";
import { notFound, refusal } from "../kernel/errors.ts";
import { findLink } from "../links/link.row.ts";
import { tagInput } from "../links/tags/tag.schema.ts";
import { keyOfTag } from "../kernel/text.ts";

/** Fields that select clicks: those of a link, of a tag, or all of the account. */
export const subjectFields = {
  link_id: z.string().describe("Only this link").optional(),
  tag: tagInput.describe("Only links with this tag").optional(),
};

/** The columns of a row about such clicks, with the tag's name */
export const subjectColumns = {
  link_id: p.uuid().nullable(),
  tag_id: p.uuid().nullable(),
  tag: p
    .text()
    .nullable()
    .formula(({ tag_id }) => `(select name from tags where id = ${tag_id})`),
};

export interface Subject {
  linkId: string | null;
  tagId: string | null;
  /** The link's title or slug, or the tag */
  name: string;
}

/** Finds the link or tag of an input; 404 if the account does not have it. */
export async function subjectOf(
  ctx: Call & { account: { id: string } },
  { link_id, tag }: { link_id?: string | undefined; tag?: string | undefined },
): Promise<Subject> {
  if (link_id !== undefined && tag !== undefined)
    throw refusal("BAD_REQUEST", "tag", "excluded", "cannot be combined with link_id", { field: "link_id" });
  if (link_id !== undefined) {
    const { id, title, slug } = await findLink(ctx, link_id);
    return {
      linkId: id,
      tagId: null,
      name: Array.from(title ?? slug)
        .slice(0, 100)
        .join(""),
    };
  }
  if (tag === undefined) return { linkId: null, tagId: null, name: "All links" };
  const { rows } = await ctx.deps.pool.query<{ id: string; name: string }>({
    name: "tag-by-name",
    text: "select id, name from tags where account_id = $1 and key = $2",
    values: [ctx.account.id, keyOfTag(tag)],
  });
  if (!rows[0]) throw notFound("Tag");
  return { linkId: null, tagId: rows[0].id, name: rows[0].name };
}
