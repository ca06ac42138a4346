import * as z from "zod";
import { actorOf, recordActivity, serviceActor } from "../accounts/activity/record.ts";
import { findWorkspace } from "../accounts/workspaces/workspace.procedures.ts";
import { planOf } from "../kernel/context.ts";
import { checkEach, concurrentChange, notFound, refusal } from "../kernel/errors.ts";
import { requireFeature } from "../kernel/plans.ts";
import { idOrNull } from "../kernel/validation/ids.ts";
import { fieldsOf, withoutUndefined } from "../kernel/validation/inputs.ts";
import { importFromInput, urlInput } from "../redirects/destination.ts";
import { assertNotBlocked } from "../safety/screening/screening.ts";
import { appleFileInput, assetLinksInput } from "./association-files.ts";
import { type AccountCall, accountProcedure } from "./call.ts";
import { DomainEntity, findDomain, toDomain } from "./domain.row.ts";
import { changedDomainSchema } from "./domain.schema.ts";
import {
  addedTo,
  assertNoLoops,
  assertNotOwnHost,
  type Destinations,
  whereNoLoop,
} from "./redirect-loops.ts";
import { everyone } from "./sharing.ts";

const urlFields = ["root_url", "not_found_url", "expired_url", "import_from"] as const;
type Urls = { [Field in (typeof urlFields)[number]]?: string | null | undefined };

const fields = fieldsOf({
  id: z.string(),
  root_url: urlInput
    .nullish()
    .describe("Where visits to the bare domain, without a slug, are sent; null clears it"),
  not_found_url: urlInput
    .nullish()
    .describe("Where visits to unknown slugs are sent; these are not clicks. null clears it"),
  expired_url: urlInput
    .nullish()
    .describe("Where visits to ended links are sent; these are not clicks. null clears it"),
  import_from: importFromInput
    .nullish()
    .describe(
      "The service that the domain was moved from, such as https://old.example: it is asked once about each unknown slug, which then becomes a link; null clears it",
    ),
  shared_with: z
    .union([z.literal(everyone), z.array(z.string()).max(100)])
    .optional()
    .describe(
      'Ids of workspaces that may create links on the domain, too; you must be allowed to change domains in each one that is new. "everyone" is for operators. Links of a workspace that is left out stay and redirect',
    ),
  apple_app_site_association: appleFileInput.nullish(),
  assetlinks: assetLinksInput.nullish(),
});

/** Sets a domain's settings: all of the given fields or none. */
export const updateDomain = accountProcedure
  .meta({
    scope: "domains",
    route: "PATCH /v1/domains/{id}",
    tag: "Domains",
    summary: "Set up a custom domain",
    description:
      "Only the given fields change; null clears them. Needs the Pro plan, except to clear them. Once the domain is verified, every node serves the change within a second.",
    example: { root_url: "https://example.com/", not_found_url: "https://example.com/not-found" },
    successDescription: "The domain",
    errors: [404],
  })
  .input(fields)
  .output(changedDomainSchema)
  .mutation(async ({ ctx, input }) => {
    const { id, apple_app_site_association, assetlinks, shared_with, ...urls } = input;
    const { deps, account, em } = ctx;
    const row = await findDomain(ctx, id);
    const changes = withoutUndefined({
      ...urls,
      apple_app_site_association: toFile(apple_app_site_association),
      assetlinks: toFile(assetlinks),
      shared_with: shared_with && (await workspacesIn(ctx, row, shared_with)),
    });
    const set = Object.entries(changes).flatMap(([name, value]) =>
      value === null || (Array.isArray(value) && value.length === 0) ? [] : [name],
    );
    const destinations = addedTo(urlsIn(row), urlsIn(urls));
    await checkEach(
      () => set.length > 0 && requireFeature(deps.plans, planOf(ctx.actor), "custom_domains", set),
      () => assertNotOwnHost(deps, destinations),
      () => assertNotBlocked(deps.screening, destinations),
    );
    const names = Object.keys(changes);
    if (names.length > 0) {
      await write();
      const before = Object.fromEntries(names.map((name) => [name, row[name as keyof typeof row]]));
      const target = { id, name: row.domain, before, after: changes };
      await recordActivity(
        deps,
        actorOf(ctx),
        "domain_changed",
        `${row.domain} (${names.join(", ")})`,
        target,
      );
      if (changes.shared_with) await recordSharing(ctx, row, row.shared_with, changes.shared_with);
    }
    em.clear();
    const changed = await toDomain(deps, await findDomain(ctx, id));
    if (!changes.shared_with) return changed;
    const { rows } = await deps.pool.query<{ links_of_others: number }>(
      "select count(*)::int as links_of_others from links where domain_id = $1 and account_id <> $2",
      [id, account.id],
    );
    return { ...changed, ...rows[0] };

    /** Writes nothing if there is a loop, or the domain was deleted just now. */
    async function write(): Promise<void> {
      const noLoop = whereNoLoop(account.id, destinations);
      const where = { id, account_id: account.id, deleted_at: null, ...noLoop };
      if ((await em.nativeUpdate(DomainEntity, where, changes)) > 0) return;
      await assertNoLoops(deps, account.id, destinations);
      await findDomain(ctx, id);
      throw concurrentChange();
    }
  });

/**
 * What is stored for `shared_with`. Whoever shares must be allowed to change domains in each workspace that is named anew (404 for
 * one they are not in); operators name any workspace, or all.
 */
async function workspacesIn(
  ctx: AccountCall,
  { shared_with: before }: { shared_with: readonly string[] },
  wanted: typeof everyone | readonly string[],
): Promise<string[]> {
  const { actor, account, deps } = ctx;
  const isOperator = actor.kind === "account" && actor.is_operator === true;
  if (wanted === everyone) {
    if (!isOperator && !before.includes(everyone))
      throw refusal("FORBIDDEN", "shared_with", "forbidden", "Only operators share a domain with everyone", {
        reason: "operators_only",
      });
    return [everyone];
  }
  const ids = new Set<string>();
  for (const named of wanted) {
    if (before.includes(named)) ids.add(named);
    else if (!isOperator) ids.add((await findWorkspace(ctx, named, "domains")).id);
    else {
      const text = "select from workspaces where id = $1 and erased_at is null";
      const { rowCount } = await deps.pool.query(text, [idOrNull(named)]);
      if (rowCount === 0) throw notFound("Workspace");
      ids.add(named);
    }
  }
  ids.delete(everyone);
  ids.delete(account.id);
  return [...ids].toSorted();
}

/** Notes in the logs of workspaces that they may use a domain from now on, or no more. */
export async function recordSharing(
  { deps }: AccountCall,
  { id, domain: name }: { id: string; domain: string },
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const note = (
    action: "domain_shared" | "domain_withdrawn",
    from: readonly string[],
    to: readonly string[],
  ) =>
    from
      .filter((workspace) => workspace !== everyone && !to.includes(workspace))
      .map((workspace) => recordActivity(deps, serviceActor(workspace), action, name, { id, name }));
  await Promise.all([...note("domain_shared", after, before), ...note("domain_withdrawn", before, after)]);
}

const urlsIn = (urls: Urls): Destinations =>
  urlFields.flatMap((field) => (urls[field] == null ? [] : [[field, urls[field]] as const]));

const toFile = (file: object | null | undefined) => (file == null ? file : JSON.stringify(file));
