import type { Call } from "./call.ts";
import type * as z from "zod";
import { planOf } from "../kernel/context.ts";
import { DomainEntity } from "../domains/domain.row.ts";
import { domainName } from "../domains/domain-name.ts";
import { ownDomainId } from "../kernel/host-names.ts";
import { isActiveInput } from "../redirects/rules/availability.ts";
import { noRules, optionInputs } from "../redirects/rules/rules.ts";
import { urlInput } from "../redirects/destination.ts";
import { AppError } from "../kernel/errors.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { planRequired } from "../kernel/plans.ts";
import { line } from "../kernel/validation/strings.ts";
import { tagsInput } from "./tags/tag.schema.ts";
import type { NewLinkRow } from "./insert.ts";
import { notesInput, slugInput, titleInput } from "./link.input.ts";
import { authorOf, toColumn } from "../history/change.ts";
import { columnsOf, demandOptions } from "./options.ts";
import { lookInput } from "./qr/look.ts";

/** What one link and many links have in common when they are created. */

export const newLinkFields = fieldsOf({
  url: urlInput,
  slug: slugInput.optional(),
  title: titleInput.nullish(),
  tags: tagsInput.nullish().describe("Names of tags; new ones are made"),
  notes: notesInput.nullish(),
  qr: lookInput.nullish(),
  is_active: isActiveInput.optional(),
  domain: line(253).optional().describe("A verified custom domain of the account. Needs the Pro plan"),
  ...optionInputs,
});
export type NewLink = z.output<typeof newLinkFields>;

/**
 * Throws 403 if the caller's plan does not include what is sent. Call it before the fields are parsed: a caller whose plan
 * lacks options should not cost more than this.
 */
export function demandFields(ctx: Call, sent: unknown): void {
  if (typeof sent !== "object" || sent === null) return;
  demandOptions(ctx, sent);
  if ("domain" in sent && sent.domain != null) demandDomain(ctx, sent.domain);
}

/** Throws 403 for a custom domain that the caller's plan does not include; the service's own host needs no plan. */
export function demandDomain({ deps, actor }: Call, domain: unknown): void {
  const { host } = deps.shortHost;
  const name = typeof domain === "string" ? domainName(domain) : "";
  const plan = planOf(actor);
  if (name === host || (plan !== null && deps.plans[plan].features.custom_domains)) return;
  const required = planRequired(deps.plans, "custom_domains");
  throw new AppError("FORBIDDEN", `domain: ${required} for custom domains; without it, links are on ${host}`);
}

export const unverifiedReason = "domain: must be a verified custom domain of this account";

/** The same for a domain that is worth naming, because it may come from a short URL in a file. */
const unverified = (name: string) =>
  /^[a-z0-9.:-]{1,253}$/.test(name)
    ? `${unverifiedReason}, which ${name} is not; verify it first, or choose another one`
    : unverifiedReason;

/** The ids of the account's verified domains, by name. */
export async function verifiedDomains({ actor, em }: Call): Promise<ReadonlyMap<string, string>> {
  const account_id = actor.kind === "account" ? actor.account.id : null;
  const rows = await em.find(DomainEntity, { account_id, status: "verified" });
  return new Map(rows.map(({ id, domain }) => [domain, id]));
}

/** The id of the `domain` field's domain. Throws 400 unless the domain is among the account's verified ones. */
export async function domainOf(
  ctx: Call,
  domain: string | undefined,
  verified: typeof verifiedDomains = verifiedDomains,
): Promise<string> {
  if (domain === undefined) return ownDomainId;
  const name = domainName(domain);
  if (name === ctx.deps.shortHost.host) return ownDomainId;
  const id = (await verified(ctx)).get(name);
  if (id === undefined) throw new AppError("BAD_REQUEST", unverified(name));
  return id;
}

/** The row of a new link, without its slug. Hashes its password, for which the account may have to wait (429). */
export async function rowOf(ctx: Call, input: NewLink, domain_id: string): Promise<Omit<NewLinkRow, "slug">> {
  const { deps, actor } = ctx;
  const now = deps.clock();
  return {
    id: deps.newId(),
    account_id: actor.kind === "account" ? actor.account.id : null,
    domain_id,
    destination: input.url,
    title: input.title ?? null,
    notes: input.notes ?? null,
    qr: input.qr ?? null,
    created_at: now,
    created_by: actor.kind === "account" ? toColumn(authorOf(actor)) : null,
    updated_at: now,
    ...noRules,
    is_active: Boolean(input.is_active ?? true),
    ...(await columnsOf(ctx, input)),
  };
}
