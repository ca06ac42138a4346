import { accountProcedure } from "./call.ts";
import * as z from "zod";
import { domainName } from "../domains/domain-name.ts";
import { ownDomainId } from "../kernel/host-names.ts";
import { line, textUpTo } from "../kernel/validation/strings.ts";
import { demandDomain, domainOf } from "./new-link.ts";
import { maxSlugLength, parseSlug } from "../kernel/slug.ts";
import { slugTakenMessage } from "./unique-slug.ts";

/** Enough for a slug of emoji that consist of several characters, and for one that is too long. */
const maxLength = 64 * maxSlugLength;

/** One prepared statement on the unique index; links and the pages of buckets share it. */
const statement = { name: "slug-taken", text: "select from links where domain_id = $1 and slug = $2" };

/** Says whether a link could be created with a slug: exactly what creating it would say, in the same words. */
export const slugAvailability = accountProcedure
  .meta({
    scope: ["links:read", "links:write"],
    openapi: {
      method: "GET",
      path: "/v1/links/availability",
      tags: ["Links"],
      summary: "Check whether a slug is free",
      description:
        "Says whether a link could be created with this slug now, at most 120 times a minute. Somebody else may take it a moment later.",
      successDescription: "Whether the slug is free, and why not",
      errors: [429],
    },
  })
  .input(
    z.object({
      slug: textUpTo(maxLength).meta({ description: "The slug to check", examples: ["launch-2026"] }),
      domain: line(253)
        .optional()
        .describe(
          "A verified custom domain of the account; the service's own host if missing. Needs the Pro plan",
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
        .describe("What the link's short URL would be; null if the slug is not valid"),
      available: z.boolean().describe("True if no link has the slug, and links may have it"),
      reason: z
        .string()
        .nullable()
        .meta({
          description: "The error that creating the link would answer; null if none",
          examples: [slugTakenMessage("launch")],
        }),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { deps } = ctx;
    await deps.limits.take("link-availability", ctx.account.id, ctx.reply);
    if (input.domain !== undefined) demandDomain(ctx, input.domain);
    const domain_id = await domainOf(ctx, input.domain);
    const isOwn = domain_id === ownDomainId;
    const custom = input.domain === undefined || isOwn ? undefined : domainName(input.domain);
    const domain = custom ?? deps.shortHost.host;
    const result = parseSlug(input.slug);
    if (!result.ok) {
      const reason = `slug: ${result.reason}`;
      return { slug: input.slug, domain, shortUrl: null, available: false, reason };
    }
    const { slug } = result;
    const { rowCount } = await deps.pool.query({ ...statement, values: [domain_id, slug] });
    const available = rowCount === 0;
    const shortUrl = deps.shortHost.urlOf(slug, custom);
    return { slug, domain, shortUrl, available, reason: available ? null : slugTakenMessage(slug) };
  });
