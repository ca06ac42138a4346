import type { Database } from "../../db/statements.ts";
import { assertNoKnownLoops, findLoops, hostsOf } from "../../domains/redirect-loops.ts";
import { holdDomains } from "../../domains/sharing.ts";
import { generateSlug } from "../../kernel/slug.ts";
import { bytesOf } from "../../redirects/link-bytes.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { type AcceptedLink, type CheckedLink, mapOrRefuse } from "../accept.ts";
import type { AccountCall, LinkDeps } from "../call.ts";
import { insertRows } from "../insert.ts";
import type { NewLinkRow } from "../link.row.ts";
import { destinationsOf } from "../options.ts";
import { requireRoomForTags } from "../tags/tagging.ts";
import { maxSlugAttempts, slugOfOther, slugTaken } from "../unique-slug.ts";
import { differencesFrom, existingFor, type ComparableLink, comparableOf, keyOf } from "./existing.ts";
import type { Outcome } from "./outcome.ts";

/** A link with its slug. */
type LinkWithSlug = AcceptedLink & { row: NewLinkRow };

/**
 * Inserts accepted links for which the account has room, in one transaction that ends with `end`, unless the outcome
 * is stopped: then none is inserted. All others get the reason as their outcome. Throws 403 if the account has no
 * room for their tags.
 */
export async function insertMany(
  ctx: AccountCall,
  accepted: readonly AcceptedLink[],
  outcome: Outcome,
  end: (database: Database, inserted: readonly LinkWithSlug[]) => Promise<void>,
): Promise<void> {
  const { deps, account } = ctx;
  const links = await takeRoom(ctx, accepted, outcome);
  let inserted: LinkWithSlug[] = [];
  try {
    if (outcome.isStopped) return;
    await inIdempotentTransaction(ctx, async (database) => {
      // Two imports of the same rows insert the same ids, each in the order of its own slugs.
      const lock = "select pg_advisory_xact_lock(hashtextextended('import ' || $1, 0))";
      if (links.some(({ id }) => id !== undefined)) await database.query(lock, [account.id]);
      await holdDomains(
        database,
        account.id,
        links.map(({ domain_id }) => domain_id),
      );
      const tags = links.flatMap(({ input }) => input.tags ?? []);
      await requireRoomForTags(database, account.id, tags);
      const all = await insertAll(ctx, database, links, outcome);
      if (outcome.isStopped) return false;
      await end(database, all);
      inserted = all;
      return outcome.answer();
    });
  } finally {
    deps.storage.release(account.id, links.length - inserted.length, bytesIn(links) - bytesIn(inserted));
  }
  for (const { row } of inserted) deps.invalidate(row);
}

/** Inserts the links whose slug is free and returns them. */
async function insertAll(
  ctx: AccountCall,
  database: Database,
  links: readonly AcceptedLink[],
  outcome: Outcome,
): Promise<LinkWithSlug[]> {
  const { deps, account } = ctx;
  const inserted: LinkWithSlug[] = [];
  let open = [...links];
  for (let attempt = 1; attempt <= maxSlugAttempts && open.length > 0; attempt++) {
    const candidates = open.map((link) => {
      const { slug = generateSlug(deps.randomBytes), tags } = link.input;
      const hosts = hostsOf(destinationsOf(link.input));
      return { ...link, row: { ...link.row, slug }, hosts, tags: tags ?? [] };
    });
    const ids = await insertRows(database, account.id, candidates);
    for (const link of candidates) {
      if (!ids.has(link.row.id)) continue;
      inserted.push(link);
      const { id, slug } = link.row;
      outcome.succeed(link.index, { id, slug, short_url: deps.shortHost.urlOf(slug, link.input.domain) });
    }
    const left = candidates.filter(({ row }) => !ids.has(row.id));
    const free = await withoutLoops(ctx, left, outcome);
    open = [];
    for (const link of await withoutExisting(ctx, database, free, outcome)) {
      // A generated slug was taken, or the link with this slug has just been deleted.
      if (link.input.slug === undefined) open.push(link);
      else outcome.refuse(link, slugTaken(link.input.slug));
    }
  }
  if (open.length > 0) throw new Error(`No free slug was found in ${maxSlugAttempts} attempts`);
  return inserted;
}

/** The outcome that an insertion would have now, without one. The bytes of options are not counted. */
export async function previewInsertion(
  ctx: AccountCall,
  links: readonly CheckedLink[],
  outcome: Outcome,
): Promise<void> {
  const { deps, account } = ctx;
  const sized = links.map((link) => {
    const { url: destination, title, notes, qr, tags } = link.input;
    return { ...link, bytes: bytesOf({ destination, title, notes, qr, tags }) };
  });
  const fitting = await takeRoom(ctx, sized, outcome);
  deps.storage.release(account.id, fitting.length, bytesIn(fitting));
  const free = await withoutLoops(ctx, fitting, outcome);
  const seen = new Map<string, ComparableLink>();
  for (const link of await withoutExisting(ctx, deps.pool, free, outcome)) {
    const { slug } = link.input;
    const earlier = slug === undefined ? undefined : seen.get(keyOf(link));
    if (earlier) {
      await rejectTaken(deps, link, earlier, outcome);
      continue;
    }
    if (slug !== undefined) seen.set(keyOf(link), { ...(await comparableOf(link)), id: "" });
    outcome.succeed(link.index, { ...(slug !== undefined && { slug }) });
  }
}

/** Reserves room for links, and refuses those for which the account has none. */
async function takeRoom<Link extends { index: number; bytes: number }>(
  { deps, account }: AccountCall,
  links: readonly Link[],
  outcome: Outcome,
): Promise<Link[]> {
  const wanted = links.map(({ bytes }) => ({ links: 1, bytes }));
  const { taken, refusal } = await deps.storage.takeSome(account, wanted);
  return outcome.keepFirst(links, taken, refusal);
}

const bytesIn = (links: readonly { bytes: number }[]) => links.reduce((sum, { bytes }) => sum + bytes, 0);

/** Refuses links that make a loop. */
async function withoutLoops<Link extends CheckedLink>(
  { deps, account }: AccountCall,
  links: readonly Link[],
  outcome: Outcome,
): Promise<Link[]> {
  if (links.length === 0) return [];
  const urls = links.flatMap(({ input }) => destinationsOf(input).map(([, url]) => url));
  const loops = await findLoops(deps, account.id, urls);
  return mapOrRefuse(
    links,
    async (link) => {
      assertNoKnownLoops(loops, destinationsOf(link.input));
      return link;
    },
    outcome.refuse,
  );
}

/** Refuses links whose slug or id is taken. */
export async function withoutExisting<Link extends CheckedLink>(
  { deps, account }: AccountCall,
  database: Database,
  links: readonly Link[],
  outcome: Outcome,
): Promise<Link[]> {
  const existing = await existingFor(database, account.id, links);
  const missing: Link[] = [];
  for (const link of links) {
    const bySlug = link.input.slug === undefined ? undefined : existing.get(keyOf(link));
    const found = bySlug ?? existing.get(link.id ?? "");
    if (found) await rejectTaken(deps, link, found, outcome);
    else missing.push(link);
  }
  return missing;
}

/** Refuses a link whose slug is taken. If the account has this very link, the outcome names it; else it says what differs. */
async function rejectTaken(
  { shortHost }: Pick<LinkDeps, "shortHost">,
  link: CheckedLink,
  existing: ComparableLink,
  outcome: Outcome,
): Promise<void> {
  const { slug = existing.slug, domain } = link.input;
  if (existing.id === null) return outcome.refuse(link, slugTaken(slug));
  const differences = await differencesFrom(existing, link);
  const isSame = outcome.allowed === "none" ? differences.length === 0 : !differences.includes("url");
  if (!isSame) return outcome.refuse(link, slugOfOther(slug, differences));
  outcome.refuse(link, slugTaken(slug), {
    ...(existing.id !== "" && { id: existing.id }),
    slug: existing.slug,
    short_url: shortHost.urlOf(existing.slug, domain),
  });
}
