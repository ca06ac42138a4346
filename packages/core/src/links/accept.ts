import { domainName } from "../domains/domain-name.ts";
import { assertNotOwnHost, type Destinations } from "../domains/redirect-loops.ts";
import { usableDomains } from "../domains/sharing.ts";
import { toColumn } from "../history/change.ts";
import { forEachYielding } from "../kernel/async/waiting.ts";
import { makerOf, planOf } from "../kernel/context.ts";
import { type AppError, checkEach, refusal } from "../kernel/errors.ts";
import { planRequired, planWith } from "../kernel/plans.ts";
import { ownDomainId } from "../kernel/host-names.ts";
import { parseOr400 } from "../kernel/validation/issues.ts";
import { bytesOf } from "../redirects/link-bytes.ts";
import { noRules } from "../redirects/rules/rules.ts";
import { hostOfDestination } from "../safety/screening/host-name.ts";
import { assertNotBlocked, type Screening } from "../safety/screening/screening.ts";
import type { Call, LinkDeps } from "./call.ts";
import type { HistoricLink } from "./import.types.ts";
import type { NewLinkRow } from "./link.row.ts";
import { type NewLink, newLinkFields } from "./link.schema.ts";
import { assertEndsAfterStart, columnsOf, destinationsOf, requireOptions } from "./options.ts";

/**
 * The checks of new links, however they arrive: one, many, an import or a file. For many links, each step is done for
 * all of them, with one statement, before the next.
 */

/** A link to create. */
export interface WantedLink extends Omit<HistoricLink, "fields"> {
  /** Its position among the links sent together */
  index: number;
  /** The id that the link must have, unless it gets a new one */
  id?: string | undefined;
  input: NewLink;
}

/** A link that may be created. */
export interface CheckedLink extends WantedLink {
  domain_id: string;
}

/** A link with its row and its size in bytes. */
export interface AcceptedLink extends CheckedLink {
  row: Omit<NewLinkRow, "slug">;
  bytes: number;
}

/** Called with the reason for each link that is refused. */
type Refuse = (link: { index: number }, reason: unknown) => void;

/** Accepts a single link, which counts as a creation. Throws the reason if it is refused. */
export async function acceptOne(ctx: Call & { charge(): void }, input: NewLink): Promise<AcceptedLink> {
  const link = await checkOne(ctx, { index: 0, input });
  ctx.charge();
  await assertNotBlocked(ctx.deps.screening, destinationsOf(link.input));
  return withRow(ctx, link);
}

/** Refuses links because of their fields. */
export function checkAll(ctx: Call, links: readonly WantedLink[], refuse: Refuse): Promise<CheckedLink[]> {
  let domains: ReturnType<typeof verifiedDomains> | undefined;
  return mapOrRefuse(links, (link) => checkOne(ctx, link, () => (domains ??= verifiedDomains(ctx))), refuse);
}

async function checkOne(ctx: Call, link: WantedLink, verified = verifiedDomains): Promise<CheckedLink> {
  let found: Awaited<ReturnType<typeof domainOf>> | undefined;
  await checkEach(
    async () => (found = await domainOf(ctx, link.input.domain, verified)),
    () => assertEndsAfterStart(link.input),
    () => assertNotOwnHost(ctx.deps, destinationsOf(link.input)),
  );
  const { id: domain_id, custom: domain } = found as NonNullable<typeof found>;
  return { ...link, input: { ...link.input, domain }, domain_id };
}

/** Refuses links that lead to blocked hosts. */
export async function screenAll(
  { deps }: Call,
  links: readonly CheckedLink[],
  refuse: Refuse,
): Promise<CheckedLink[]> {
  const urls = links.flatMap(({ input }) => destinationsOf(input));
  const screening = links.length > 1 ? await screeningOf(deps, urls) : deps.screening;
  return mapOrRefuse(
    links,
    async (link) => {
      await assertNotBlocked(screening, destinationsOf(link.input));
      return link;
    },
    refuse,
  );
}

/** Makes the rows of links that are checked. Hashes passwords, for which the account may have to wait (429). */
export const acceptAll = (
  ctx: Call,
  links: readonly CheckedLink[],
  refuse: Refuse,
): Promise<AcceptedLink[]> => mapOrRefuse(links, (link) => withRow(ctx, link), refuse);

/** The results of `step` for items without an error; `refuse` gets the others. */
export async function mapOrRefuse<Item, Made>(
  items: readonly Item[],
  step: (item: Item) => Promise<Made>,
  refuse: (item: Item, reason: unknown) => void,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    try {
      made.push(await step(item));
    } catch (error) {
      refuse(item, error);
    }
  }
  return made;
}

/** Parses the fields of many links, each of which is refused on its own. */
export async function parseLinks(
  ctx: Call,
  links: readonly (HistoricLink & { id?: string | undefined })[],
  refuse: Refuse,
): Promise<WantedLink[]> {
  const parsed: WantedLink[] = [];
  await forEachYielding(links.entries(), ([index, { fields, ...link }]) => {
    try {
      requireFields(ctx, fields);
      parsed.push({ index, ...link, input: parseOr400(newLinkFields, fields) });
    } catch (error) {
      refuse({ index }, error);
    }
  });
  return parsed;
}

/**
 * Throws 403 if the caller's plan does not include the given options. Call it before the fields are parsed: a caller
 * whose plan lacks options should not cost more than this.
 */
export function requireFields(ctx: Call, sent: unknown): void {
  if (typeof sent !== "object" || sent === null) return;
  requireOptions(ctx, sent);
  if ("domain" in sent && sent.domain != null) requireDomain(ctx, sent.domain);
}

/** Throws 403 for a custom domain that the caller's plan does not include; the service's own host needs no plan. */
function requireDomain({ deps, actor }: Call, domain: unknown): void {
  const { host } = deps.shortHost;
  const name = typeof domain === "string" ? domainName(domain) : "";
  const plan = planOf(actor);
  if (name === host || (plan !== null && deps.plans[plan].features.custom_domains)) return;
  const required = planRequired(deps.plans, "custom_domains");
  const message = `${required} for custom domains; without it, links are on ${host}`;
  const params = { plan: planWith(deps.plans, "custom_domains"), feature: "custom_domains", host };
  throw refusal("FORBIDDEN", "domain", "plan_required", message, params);
}

/** Refuses a domain that is not verified; `name` if it is worth naming. */
export function domainUnverified(name?: string): AppError {
  const which = name === undefined ? "" : `, which ${name} is not; verify it first, or choose another one`;
  const message = `must be a verified custom domain of this account${which}`;
  return refusal(
    "BAD_REQUEST",
    "domain",
    "domain_unverified",
    message,
    name === undefined ? undefined : { domain: name },
  );
}

/** The ids of the verified domains that the account may use, by name. */
export const verifiedDomains = ({ actor, deps }: Call): Promise<ReadonlyMap<string, string>> =>
  usableDomains(deps.pool, actor.kind === "account" ? actor.account.id : null);

/**
 * The domain that the `domain` field names, whose `custom` name is undefined if it is the service's own host. Throws 403 if the
 * plan does not include custom domains, and 400 unless it is among the verified ones that the account may use.
 */
export async function domainOf(
  ctx: Call,
  domain: string | undefined,
  verified = verifiedDomains,
): Promise<{ id: string; custom: string | undefined }> {
  const own = { id: ownDomainId, custom: undefined };
  if (domain === undefined) return own;
  requireDomain(ctx, domain);
  const name = domainName(domain);
  if (name === ctx.deps.shortHost.host) return own;
  const id = (await verified(ctx)).get(name);
  if (id !== undefined) return { id, custom: name };
  // The name may come from a short URL in a file.
  throw domainUnverified(/^[a-z0-9.:-]{1,253}$/.test(name) ? name : undefined);
}

/** Looks up all hosts at once, for `assertNotBlocked` of each link. */
export async function screeningOf(
  { screening }: Pick<LinkDeps, "screening">,
  urls: Destinations,
): Promise<Screening> {
  const blocked = await screening.allBlocked(urls.map(([, url]) => hostOfDestination(url)));
  return { allBlocked: async (hosts) => new Set(hosts.filter((host) => blocked.has(host))) };
}

async function withRow(ctx: Call, link: CheckedLink): Promise<AcceptedLink> {
  const { deps, actor } = ctx;
  const { id = deps.newId(), input, domain_id } = link;
  const now = deps.clock();
  const row = {
    id,
    account_id: actor.kind === "account" ? actor.account.id : null,
    domain_id,
    destination: input.url,
    title: input.title ?? null,
    notes: input.notes ?? null,
    qr: input.qr ?? null,
    created_at: link.created_at ?? now,
    created_by: actor.kind === "account" ? toColumn(actor) : null,
    made_by: makerOf(actor),
    updated_at: now,
    ...noRules,
    is_active: Boolean(input.is_active ?? true),
    ...(await columnsOf(ctx, input)),
  };
  return { ...link, row, bytes: bytesOf({ ...row, tags: input.tags }) };
}
