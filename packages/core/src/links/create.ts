import * as z from "zod";
import { type Call, creation, publicProcedure } from "../rpc/procedure.ts";
import { planOf } from "../kernel/context.ts";
import { DomainEntity, domainName, refuseOwnHost } from "../domains/index.ts";
import { dayMs } from "../kernel/time.ts";
import { ownDomainId } from "../kernel/short-host.ts";
import { noRules, optionInputs, urlInput } from "../redirects/index.ts";
import { AppError, unauthenticated } from "../kernel/errors.ts";
import { refuseBlocked } from "../screening/index.ts";
import { fieldsOf } from "../validation/inputs.ts";
import { demand } from "../kernel/plans.ts";
import { line, timestamp } from "../validation/strings.ts";
import { insertWithUniqueSlug } from "./unique-slug.ts";
import { insertLink } from "./insert.ts";
import { slugInput, titleInput } from "./link.input.ts";
import { linkSchema } from "./link.schema.ts";
import { toLink } from "./link.view.ts";
import { columnsOf, demandOptions, destinationsOf } from "./options.ts";
import { bytesOf } from "./storage.ts";

const fields = fieldsOf({
  url: urlInput,
  slug: slugInput.optional(),
  title: titleInput.nullish(),
  domain: line(253).optional().describe("A verified custom domain of the account. Needs the Pro plan"),
  ...optionInputs,
});

const anonymousMeta = z
  .object({ deleted_unless_clicked_by: timestamp })
  .describe("For links without an account: when the link is deleted, unless it is clicked before");

/** Shortens a URL. A link that is created without a credential has no account and cannot be managed. */
export const createLink = publicProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "POST",
      path: "/v1/links",
      tags: ["Links"],
      summary: "Create a short link",
      example: { url: "https://example.com/a/long/address", title: "An example" },
      successDescription: "The new link",
      successStatus: 201,
      successMeta: anonymousMeta,
      errors: [409, 429],
    },
  })
  .use(creation)
  .use(async ({ ctx, getRawInput, next }) => {
    // Before the options are parsed: a caller whose plan lacks them should not cost more than this.
    const sent = await getRawInput();
    if (typeof sent === "object" && sent !== null) {
      demandOptions(ctx, sent);
      if ("domain" in sent && sent.domain != null)
        demand(ctx.deps.plans, planOf(ctx.actor), "custom_domains");
    }
    return next({ getRawInput: async () => sent });
  })
  .input(fields)
  .output(linkSchema)
  .mutation(async ({ ctx, input }) => {
    const { deps } = ctx;
    if (input.slug !== undefined && ctx.actor.kind === "anonymous" && !deps.policy.anonymousSlugs)
      throw unauthenticated("slug: ");
    const domain_id = await domainOf(ctx, input.domain);
    refuseOwnHost(deps, destinationsOf(input));
    ctx.charge();
    await refuseBlocked(deps.screening, destinationsOf(input));

    const now = deps.clock();
    const row = {
      id: deps.newId(),
      account_id: ctx.actor.kind === "account" ? ctx.actor.account.id : null,
      domain_id,
      destination: input.url,
      title: input.title ?? null,
      created_at: now,
      updated_at: now,
      ...noRules,
      ...(await columnsOf(ctx, input)),
    };
    await deps.storage.take(ctx.actor, { links: 1, bytes: bytesOf(row) });
    const request = { slug: input.slug, accountId: row.account_id, destinations: destinationsOf(input) };
    const slug = await insertWithUniqueSlug(deps, request, (candidate, hosts) =>
      insertLink(deps, { ...row, slug: candidate }, hosts),
    );
    deps.invalidate({ domain_id, slug });
    if (row.account_id === null) {
      const end = new Date(now.getTime() + deps.anonymousLinksDays * dayMs);
      ctx.reply.meta = { deleted_unless_clicked_by: end.toISOString() };
    }
    return toLink(ctx, { ...row, slug, click_count: 0 });
  });

export const unverifiedReason = "domain: must be a verified custom domain of this account";

/** The id of the `domain` field's domain. Throws 400 unless the domain is the account's and verified. */
export async function domainOf({ deps, actor, em }: Call, domain: string | undefined): Promise<string> {
  if (domain === undefined) return ownDomainId;
  const name = domainName(domain);
  if (name === deps.shortHost.host) return ownDomainId;
  const account_id = actor.kind === "account" ? actor.account.id : null;
  const row = await em.findOne(DomainEntity, { account_id, domain: name, status: "verified" });
  if (!row) throw new AppError("BAD_REQUEST", unverifiedReason);
  return row.id;
}
