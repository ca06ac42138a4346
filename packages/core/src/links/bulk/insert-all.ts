import type { LinkDeps } from "../call.ts";
import type { PoolClient } from "pg";
import { findLoops, hostsOf, assertNoKnownLoops } from "../../domains/redirect-loops.ts";
import { insertLinks, type NewLinkRow } from "../insert.ts";
import { destinationsOf } from "../options.ts";
import { generateSlug } from "../../kernel/slug.ts";
import { maxSlugAttempts, slugOfOther, slugTaken } from "../unique-slug.ts";
import type { Accepted, Checked } from "./accept.ts";
import { differencesFrom, findHolders, type Holder, holderOf } from "./differences.ts";
import type { Outcome } from "./outcome.ts";

/** A link that was created. */
export interface Inserted extends Accepted {
  row: NewLinkRow;
}

/** The fields in which a stored link may differ from a new one with the same slug, and still be it. */
export type DifferencesAllowed = "none" | "all but the destination";

/** Inserts the links whose slug is free and returns them; the outcome of all others is why they were not inserted. */
export async function insertAll(
  deps: LinkDeps,
  database: PoolClient,
  accountId: string,
  links: readonly Accepted[],
  outcome: Outcome,
  allowed: DifferencesAllowed = "none",
): Promise<Inserted[]> {
  const inserted: Inserted[] = [];
  let open = [...links];
  for (let attempt = 1; attempt <= maxSlugAttempts && open.length > 0; attempt++) {
    const candidates = open.map((link): Inserted => {
      const slug = link.input.slug ?? generateSlug(deps.randomBytes);
      return { ...link, row: { ...link.row, slug } };
    });
    const ids = await insertLinks(
      database,
      accountId,
      candidates.map(({ row, input }) => ({
        row,
        hosts: hostsOf(destinationsOf(input)),
        tags: input.tags ?? [],
      })),
    );
    for (const link of candidates) {
      if (!ids.has(link.row.id)) continue;
      inserted.push(link);
      const { id, slug } = link.row;
      outcome.succeed(link.index, { id, slug, short_url: deps.shortHost.urlOf(slug, link.input.domain) });
    }
    const left = candidates.filter(({ row }) => !ids.has(row.id));
    const free = await withoutLoops(deps, accountId, left, outcome);
    open = [];
    for (const link of await refuseHeld(deps, database, accountId, free, outcome, allowed)) {
      // A generated slug was taken; or the link that had this one was deleted at this moment.
      if (link.input.slug === undefined) open.push(link);
      else outcome.refuse(link.index, slugTaken(link.input.slug));
    }
  }
  if (open.length > 0) throw new Error(`No free slug was found in ${maxSlugAttempts} attempts`);
  return inserted;
}

/** The outcome that an insertion would have now, without one. */
export async function foresee(
  deps: LinkDeps,
  accountId: string,
  links: readonly Checked[],
  outcome: Outcome,
  allowed: DifferencesAllowed = "none",
): Promise<void> {
  const free = await withoutLoops(deps, accountId, links, outcome);
  const seen = new Map<string, Holder>();
  for (const link of await refuseHeld(deps, deps.pool, accountId, free, outcome, allowed)) {
    const { slug } = link.input;
    const earlier = slug === undefined ? undefined : seen.get(keyOf(link));
    if (earlier) {
      await refuseTaken(deps, link, earlier, allowed, outcome);
      continue;
    }
    if (slug !== undefined) seen.set(keyOf(link), { ...(await holderOf(link)), id: "" });
    outcome.succeed(link.index, { ...(slug !== undefined && { slug }) });
  }
}

/** Refuses links whose slug or id is taken, and returns the others. */
export async function refuseHeld<Link extends Checked>(
  deps: LinkDeps,
  database: Pick<PoolClient, "query">,
  accountId: string,
  links: readonly Link[],
  outcome: Outcome,
  allowed: DifferencesAllowed = "none",
): Promise<Link[]> {
  const holders = await holdersOf(database, accountId, links);
  const others: Link[] = [];
  for (const link of links) {
    const bySlug = link.input.slug === undefined ? undefined : holders.get(keyOf(link));
    const holder = bySlug ?? holders.get(link.id ?? "");
    if (holder) await refuseTaken(deps, link, holder, allowed, outcome);
    else others.push(link);
  }
  return others;
}

/** Refuses links that make a loop. */
async function withoutLoops<Link extends Checked>(
  deps: LinkDeps,
  accountId: string,
  links: readonly Link[],
  outcome: Outcome,
): Promise<Link[]> {
  if (links.length === 0) return [];
  const urls = links.flatMap(({ input }) => destinationsOf(input).map(([, url]) => url));
  const loops = await findLoops(deps, accountId, urls);
  return links.filter(({ index, input }) =>
    outcome.passes(index, () => assertNoKnownLoops(loops, destinationsOf(input))),
  );
}

/** The holders of requested slugs, by short URL, and those of requested ids, by id. */
async function holdersOf(
  database: Pick<PoolClient, "query">,
  accountId: string,
  links: readonly Checked[],
): Promise<Map<string, Holder>> {
  const requested = links.filter(({ input }) => input.slug !== undefined);
  const ids = links.flatMap(({ id }) => id ?? []);
  if (requested.length === 0 && ids.length === 0) return new Map();
  const holders = await findHolders(database, accountId, {
    domainIds: requested.map(({ domain_id }) => domain_id),
    slugs: requested.map(({ input }) => input.slug ?? ""),
    ids,
  });
  const wanted = new Set(ids);
  return new Map([
    ...holders.map((holder) => [shortUrlKey(holder), holder] as const),
    ...holders.flatMap((holder) =>
      holder.id !== null && wanted.has(holder.id) ? [[holder.id, holder] as const] : [],
    ),
  ]);
}

const shortUrlKey = ({ domain_id, slug }: Pick<Holder, "domain_id" | "slug">) => `${domain_id}/${slug}`;
const keyOf = ({ domain_id, input: { slug = "" } }: Checked) => shortUrlKey({ domain_id, slug });

/** Refuses a link whose slug is taken. If the account has this very link, the outcome names it; else it says what differs. */
async function refuseTaken(
  { shortHost }: LinkDeps,
  link: Checked,
  holder: Holder,
  allowed: DifferencesAllowed,
  outcome: Outcome,
): Promise<void> {
  const { index, input } = link;
  const { slug = holder.slug, domain } = input;
  if (holder.id === null) return outcome.refuse(index, slugTaken(slug));
  const differences = await differencesFrom(holder, link);
  const counted = allowed === "none" ? differences : differences.filter((name) => name === "url");
  const { id } = holder;
  if (counted.length === 0)
    outcome.refuse(index, slugTaken(slug), {
      ...(id !== "" && { id }),
      slug: holder.slug,
      short_url: shortHost.urlOf(holder.slug, domain),
    });
  else outcome.refuse(index, slugOfOther(slug, differences));
}
