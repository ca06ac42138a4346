import type { PoolClient } from "pg";
import type { Deps } from "../../deps.ts";
import { findLoops, hostsOf, refuseKnownLoops } from "../../domains/index.ts";
import { insertLinks, type NewLinkRow } from "../insert.ts";
import { destinationsOf } from "../options.ts";
import { generateSlug } from "../slug.ts";
import { maxSlugAttempts, slugTaken } from "../unique-slug.ts";
import type { Accepted, Checked } from "./accept.ts";
import type { Outcome } from "./outcome.ts";

/** A link that was created. */
export interface Inserted extends Accepted {
  row: NewLinkRow;
}

/** Inserts the links whose slug is free and returns them; the outcome of all others is why they were not inserted. */
export async function insertAll(
  deps: Deps,
  database: PoolClient,
  accountId: string,
  links: readonly Accepted[],
  outcome: Outcome,
): Promise<Inserted[]> {
  const inserted: Inserted[] = [];
  let open = links;
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
    const holders = await holdersOf(database, accountId, free);
    for (const link of free) if (link.input.slug !== undefined) refuseTaken(deps, link, holders, outcome);
    // A generated slug was taken.
    open = free.filter(({ input }) => input.slug === undefined);
  }
  if (open.length > 0) throw new Error(`No free slug was found in ${maxSlugAttempts} attempts`);
  return inserted;
}

/** The outcome that an insertion would have now, without one. */
export async function foresee(
  deps: Deps,
  accountId: string,
  links: readonly Checked[],
  outcome: Outcome,
): Promise<void> {
  const free = await withoutLoops(deps, accountId, links, outcome);
  const holders = await holdersOf(deps.pool, accountId, free);
  const seen = new Set<string>();
  for (const link of free) {
    const { slug } = link.input;
    const key = slug === undefined ? undefined : keyOf({ domain_id: link.domain_id, slug });
    if (key !== undefined && (holders.has(key) || seen.has(key))) {
      refuseTaken(deps, link, holders, outcome);
      continue;
    }
    if (key !== undefined) seen.add(key);
    outcome.succeed(link.index, { ...(slug !== undefined && { slug }) });
  }
}

/** Refuses links that make a loop. */
async function withoutLoops<Link extends Checked>(
  deps: Deps,
  accountId: string,
  links: readonly Link[],
  outcome: Outcome,
): Promise<Link[]> {
  if (links.length === 0) return [];
  const urls = links.flatMap(({ input }) => destinationsOf(input).map(([, url]) => url));
  const loops = await findLoops(deps, accountId, urls);
  return links.filter(({ index, input }) =>
    outcome.passes(index, () => refuseKnownLoops(loops, destinationsOf(input))),
  );
}

/** A link or page that has a requested slug; its id only if it is the account's. */
interface Holder {
  id: string | null;
  domain_id: string;
  slug: string;
  destination: string;
}

async function holdersOf(
  database: Pick<PoolClient, "query">,
  accountId: string,
  links: readonly Checked[],
): Promise<Map<string, Holder>> {
  const requested = links.filter(({ input }) => input.slug !== undefined);
  if (requested.length === 0) return new Map();
  const { rows } = await database.query<Holder>({
    name: "holders-of-slugs",
    text: `select case when account_id = $1 then id end as id, domain_id, slug, destination from links
           where (domain_id, slug) in (select * from unnest($2::uuid[], $3::text[]))`,
    values: [
      accountId,
      requested.map(({ domain_id }) => domain_id),
      requested.map(({ input }) => input.slug),
    ],
  });
  return new Map(rows.map((row) => [keyOf(row), row]));
}

const keyOf = ({ domain_id, slug }: Pick<Holder, "domain_id" | "slug">) => `${domain_id}/${slug}`;

/** Refuses a link whose slug is taken. If the account's own link has it and leads to the same place, the outcome names it. */
function refuseTaken(
  { shortHost }: Deps,
  { index, input, domain_id }: Checked,
  holders: ReadonlyMap<string, Holder>,
  outcome: Outcome,
): void {
  const { slug = "", url, domain } = input;
  const holder = holders.get(keyOf({ domain_id, slug }));
  const same =
    holder?.id != null && holder.destination === url
      ? { id: holder.id, slug, short_url: shortHost.urlOf(slug, domain) }
      : {};
  outcome.refuse(index, slugTaken(slug), same);
}
