import * as z from "zod";
import { actorOf, recordActivity } from "../accounts/activity/record.ts";
import { planOf } from "../kernel/context.ts";
import { checkEach, concurrentChange } from "../kernel/errors.ts";
import { requireFeature } from "../kernel/plans.ts";
import { fieldsOf, withoutUndefined } from "../kernel/validation/inputs.ts";
import { importFromInput, urlInput } from "../redirects/destination.ts";
import { assertNotBlocked } from "../safety/screening/screening.ts";
import { appleFileInput, assetLinksInput } from "./association-files.ts";
import { accountProcedure } from "./call.ts";
import { DomainEntity, findDomain, toDomain } from "./domain.row.ts";
import { domainSchema } from "./domain.schema.ts";
import {
  addedTo,
  assertNoLoops,
  assertNotOwnHost,
  type Destinations,
  whereNoLoop,
} from "./redirect-loops.ts";

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
  .output(domainSchema)
  .mutation(async ({ ctx, input: { id, apple_app_site_association, assetlinks, ...urls } }) => {
    const { deps, account, em } = ctx;
    const row = await findDomain(ctx, id);
    const changes = withoutUndefined({
      ...urls,
      apple_app_site_association: toFile(apple_app_site_association),
      assetlinks: toFile(assetlinks),
    });
    const set = Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [name]));
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
    }
    em.clear();
    return toDomain(deps, await findDomain(ctx, id));

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

const urlsIn = (urls: Urls): Destinations =>
  urlFields.flatMap((field) => (urls[field] == null ? [] : [[field, urls[field]] as const]));

const toFile = (file: object | null | undefined) => (file == null ? file : JSON.stringify(file));
