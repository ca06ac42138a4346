import { at, sentenceOf } from "../kernel/issues.ts";
import { issuesOutput } from "../kernel/validation/issues.ts";
import { accountProcedure } from "./call.ts";
import { changeBy } from "../history/change.ts";
import { concurrentChange } from "../kernel/errors.ts";
import { idInput, deletedSchema } from "../kernel/validation/ids.ts";
import { assertEnabled, findLink, removeLinks, toLink } from "./link.row.ts";
import { linkSchema } from "./link.schema.ts";
import { changedSince, entityTagsIn, etagOf, requireRevision } from "./revision.ts";
import { line, textUpTo } from "../kernel/validation/strings.ts";
import { domainOf } from "./accept.ts";
import { maxSlugLength, parseSlug } from "../kernel/slug.ts";
import { slugTakenIssue } from "./unique-slug.ts";
import { router } from "../rpc/procedure.ts";
import { createLinks } from "./bulk/create.ts";
import { deleteLinks, updateLinks } from "./bulk/bulk.procedures.ts";
import { createLink } from "./create.ts";
import { linkHistory } from "./history/history.procedures.ts";
import { explainDraft, explainLink } from "./explain.ts";
import { exportLinks } from "./export.ts";
import { listLinks } from "./list/list.ts";
import { locateLink } from "./locate.ts";
import { deleteLogo, getLogo, qrOfLink, setLogo } from "./qr/qr.procedures.ts";
import { transferLinks } from "./transfer.ts";
import { updateLink } from "./update.ts";
import * as z from "zod";

const getLink = accountProcedure
  .meta({
    scope: "links:read",
    route: "GET /v1/links/{id}",
    tag: "Links",
    summary: "Get a link",
    successDescription: "The link",
    hasETag: true,
    errors: [404],
  })
  .input(idInput)
  .output(linkSchema)
  .query(async ({ ctx, input }) => {
    const link = await toLink(ctx, await findLink(ctx, input.id));
    ctx.reply.etag = etagOf(link);
    return link;
  });

/**
 * Deletes a link. Its slug is free at once, and the next link with that slug inherits nothing. Its clicks stay in the
 * account's totals, under the link's last slug, destination and title.
 */
const deleteLink = accountProcedure
  .meta({
    scope: "links:write",
    route: "DELETE /v1/links/{id}",
    tag: "Links",
    summary: "Delete a link",
    successDescription: "The link is deleted and its slug is free",
    hasETag: true,
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const link = await findLink(ctx, id);
    assertEnabled("link", link);
    const ifMatch = entityTagsIn(ctx.ifMatch);
    if (ifMatch !== undefined) requireRevision(ifMatch, await toLink(ctx, link));
    const unchangedSince = ifMatch === undefined ? undefined : link.updated_at;
    const deleted = await removeLinks(ctx.deps.pool, changeBy(ctx), [id], ctx.account.id, unchangedSince);
    if (deleted.length === 0) {
      ctx.em.clear();
      assertEnabled("link", await findLink(ctx, id));
      throw ifMatch === undefined ? concurrentChange() : changedSince();
    }
    ctx.deps.storage.release(ctx.account.id, 1);
    ctx.deps.invalidate(link);
    return { id, deleted: true as const };
  });

/** Enough for a slug of emoji that consist of several characters, and for one that is too long. */
const maxCheckedLength = 64 * maxSlugLength;

/** One prepared statement on the unique index; links and the pages of buckets share it. */
const slugTaken = { name: "slug-taken", text: "select from links where domain_id = $1 and slug = $2" };

/** Checks whether a link could be created with a slug; the answer is exactly that of creating it. */
const slugAvailability = accountProcedure
  .meta({
    scope: ["links:read", "links:write"],
    route: "GET /v1/links/availability",
    tag: "Links",
    summary: "Check whether a slug is free",
    description:
      "Says whether a link could be created with this slug now, at most 120 times a minute. Someone else may take it a moment later.",
    successDescription: "Whether the slug is free, and why not",
    errors: [429],
  })
  .input(
    z.object({
      slug: textUpTo(maxCheckedLength).meta({ description: "The slug to check", examples: ["launch-2026"] }),
      domain: line(253)
        .optional()
        .describe(
          "A verified custom domain of the account, which needs the Pro plan; default: the service's own host",
        ),
    }),
  )
  .output(
    z.object({
      slug: z.string().describe("As it would be stored: in Unicode normalization form C"),
      domain: z.string(),
      shortUrl: z
        .string()
        .nullable()
        .describe("The short URL the link would have; null if the slug is not valid"),
      available: z.boolean().describe("True if the slug is valid and not taken"),
      reason: z
        .string()
        .nullable()
        .meta({
          description: "The error that creating the link would return; null if none",
          examples: [sentenceOf(slugTakenIssue("launch"))],
        }),
      issues: issuesOutput.describe("The same as data; empty if the slug is available"),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { deps } = ctx;
    await deps.limits.take("link-availability", ctx.account.id, ctx.reply);
    const { id: domain_id, custom } = await domainOf(ctx, input.domain);
    const domain = custom ?? deps.shortHost.host;
    const result = parseSlug(input.slug);
    if (!result.ok) {
      const problem = at("slug", result.reason);
      return {
        slug: input.slug,
        domain,
        shortUrl: null,
        available: false,
        reason: sentenceOf(problem),
        issues: [problem],
      };
    }
    const { slug } = result;
    const { rowCount } = await deps.pool.query({ ...slugTaken, values: [domain_id, slug] });
    const available = rowCount === 0;
    const shortUrl = deps.shortHost.urlOf(slug, custom);
    if (available) return { slug, domain, shortUrl, available, reason: null, issues: [] };
    const taken = slugTakenIssue(slug);
    return { slug, domain, shortUrl, available, reason: sentenceOf(taken), issues: [taken] };
  });

export const linksRouter = router({
  create: createLink,
  list: listLinks,
  availability: slugAvailability,
  export: exportLinks,
  get: getLink,
  locate: locateLink,
  update: updateLink,
  delete: deleteLink,
  bulkCreate: createLinks,
  bulkUpdate: updateLinks,
  bulkDelete: deleteLinks,
  transfer: transferLinks,
  history: linkHistory,
  qr: qrOfLink,
  qrLogo: getLogo,
  setQrLogo: setLogo,
  deleteQrLogo: deleteLogo,
  explain: explainLink,
  explainDraft,
});
