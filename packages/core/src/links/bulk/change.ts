import type { AccountCall } from "../call.ts";
import type { Em } from "../../db/em.ts";
import type { Database } from "../../db/statements.ts";
import {
  addedTo,
  assertNoKnownLoops,
  assertNotOwnHost,
  findLoops,
  whereNoLoop,
} from "../../domains/redirect-loops.ts";
import { checkEach, concurrentChange, notFound, refusal } from "../../kernel/errors.ts";
import { assertNotBlocked } from "../../safety/screening/screening.ts";
import { type Change, contextOf, setChangeContext } from "../../history/change.ts";
import { requireHandOver } from "../makers.ts";
import { LinkEntity, removeLinks } from "../link.row.ts";
import { assertEndsAfterStart, destinationsOf, requireOptions, storedDestinationsOf } from "../options.ts";
import { bytesPerTag } from "../../accounts/storage.ts";
import { bytesOf } from "../../redirects/link-bytes.ts";
import type { LinkChanges } from "../link.schema.ts";
import type { ChangedColumns } from "../update.ts";
import { screeningOf } from "../accept.ts";
import { type BulkLink, Selection } from "./selection.ts";
import type { ChangedMany } from "./bulk.schema.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { addTags, removeTags, requireRoomForTags, setTags, tagsOf } from "../tags/tagging.ts";
import { maxTagsOfLink } from "../tags/tag.schema.ts";
import { keyOfTag } from "../../kernel/text.ts";

/** The last part of the transaction of a job, with the answer if it is committed; what it throws rolls back. */
export type Finish<Answer> = (database: Database, answer: Answer) => Promise<void>;

/** The transaction of a change of many links, or of one part of them. */
export interface Transaction {
  change: Change;
  finish?: Finish<ChangedMany>;
}

/** A change: the input, and the columns it changes, computed on demand. */
interface Wanted extends Pick<Retagging, "add_tags" | "remove_tags"> {
  set: LinkChanges;
  columns(): Promise<ChangedColumns>;
}

/** Changes links alike, each as `links.update` does; those that can be changed change together. */
export async function changeLinks(
  ctx: AccountCall,
  ids: readonly string[],
  { set, add_tags, remove_tags, columns }: Wanted,
  { change, finish }: Transaction,
  isDryRun: boolean,
): Promise<ChangedMany> {
  const { deps, account, em } = ctx;
  const retagging = { set: set.tags, add_tags, remove_tags };
  const isTagged = Object.values(retagging).some((tags) => tags !== undefined);
  const wanted = destinationsOf(set);
  const added = (link: BulkLink) => addedTo(storedDestinationsOf(link), wanted);
  const screening = await screeningOf(deps, wanted);
  const assertMayHandOver = await requireHandOver(ctx, set.created_by);
  const urls = wanted.map(([, url]) => url);
  const loops = await findLoops(deps, account.id, urls);

  async function select(database: Database, from: Em, lock: "locked" | "unlocked") {
    const selection = await Selection.of(from, ids, lock);
    const counts = isTagged
      ? await countTags(database, idsOf(selection.links), retagging)
      : new Map<string, TagCount>();
    await selection.check((link) =>
      checkEach(
        () => assertMayHandOver(link),
        () => assertTagCount(counts.get(link.id)),
        () => requireOptions(ctx, set, link),
        () => assertEndsAfterStart(set, link),
        () => assertNotOwnHost(deps, added(link)),
        () => assertNotBlocked(screening, added(link)),
        () => assertNoKnownLoops(loops, added(link)),
      ),
    );
    return { selection, counts };
  }

  const changes = isDryRun ? {} : await columns();
  if (isDryRun || (Object.keys(changes).length === 0 && !isTagged)) {
    const { selection } = await select(deps.pool, em, "unlocked");
    return isDryRun ? selection.answer() : { ...selection.answer(), changed: 0 };
  }
  let giveBack = () => {};
  let links: readonly BulkLink[] = [];
  const written = inIdempotentTransaction(ctx, async (database, tx) => {
    const { selection, counts } = await select(database, tx, "locked");
    ({ links } = selection);
    if (links.length === 0) return selection.answer();
    const bytes = links.map((link) => {
      const { before = 0, after = 0 } = counts.get(link.id) ?? {};
      return bytesOf({ ...link, ...changes }) - bytesOf(link) + (after - before) * bytesPerTag;
    });
    const more = { links: 0, bytes: bytes.reduce((sum, of) => sum + of, 0) };
    giveBack = await deps.storage.take(ctx.actor, more);
    const all = { ...changes, updated_at: change.at };
    await database.query(`select ${setChangeContext("$1")}`, [contextOf(change)]);
    const isAdding = (link: BulkLink) => added(link).length > 0;
    const keeping = { id: { $in: idsOf(links.filter((link) => !isAdding(link))) } };
    const adding = { id: { $in: idsOf(links.filter(isAdding)) } };
    const changed =
      (await tx.nativeUpdate(LinkEntity, keeping, all)) +
      (await tx.nativeUpdate(LinkEntity, { ...adding, ...whereNoLoop(account.id, wanted) }, all));
    // A host has just become a short-link host.
    if (changed !== links.length) throw concurrentChange();
    if (isTagged) await retag(database, account.id, idsOf(links), retagging);
    const answer = { ...selection.answer(), change_id: change.id };
    await finish?.(database, answer);
    return answer;
  });
  const answer = await written.catch((error: unknown) => {
    giveBack();
    throw error;
  });
  for (const link of links) deps.invalidate(link);
  return answer;
}

const idsOf = (links: readonly BulkLink[]) => links.map(({ id }) => id);

/** Deletes links, each as `links.delete` does. */
export async function deleteMany(
  ctx: AccountCall,
  ids: readonly string[],
  { change, finish }: Transaction,
  isDryRun: boolean,
): Promise<ChangedMany> {
  const { deps, em, account } = ctx;
  const selection = await Selection.of(em, ids, "unlocked");
  if (isDryRun || selection.links.length === 0) return selection.answer();
  let deleted: Awaited<ReturnType<typeof removeLinks>> = [];
  const answer = await inIdempotentTransaction(ctx, async (database) => {
    deleted = await removeLinks(database, change, idsOf(selection.links), account.id);
    const gone = new Set(deleted.map(({ id }) => id));
    await selection.check(({ id }) => {
      if (!gone.has(id)) throw notFound("Link");
    });
    const done = { ...selection.answer(), change_id: deleted.length > 0 ? change.id : null };
    await finish?.(database, done);
    return done;
  });
  deps.storage.release(account.id, deleted.length);
  for (const link of deleted) deps.invalidate(link);
  return answer;
}

/** The change of tags of many links: first it replaces them, then adds some, then removes some. */
interface Retagging {
  set?: readonly string[] | null | undefined;
  add_tags?: readonly string[] | undefined;
  remove_tags?: readonly string[] | undefined;
}

/** How many tags links have now, and how many they would have. */
interface TagCount {
  before: number;
  after: number;
}

/** Counts the tags of links before and after a change, by the links' ids. */
async function countTags(
  database: Database,
  ids: readonly string[],
  { set, add_tags = [], remove_tags = [] }: Retagging,
): Promise<ReadonlyMap<string, TagCount>> {
  const current = await tagsOf(database, ids);
  const removed = new Set(remove_tags.map(keyOfTag));
  return new Map(
    ids.map((id) => {
      const own = current.get(id) ?? [];
      const all = new Set([...(set === undefined ? own : (set ?? [])), ...add_tags].map(keyOfTag));
      return [id, { before: own.length, after: [...all].filter((key) => !removed.has(key)).length }];
    }),
  );
}

/** Throws 400 if a link would have too many tags. */
function assertTagCount(count: TagCount | undefined): void {
  if (!count || count.after <= maxTagsOfLink || count.after <= count.before) return;
  const message = `a link can have ${maxTagsOfLink} tags; this one would have ${count.after}`;
  throw refusal("BAD_REQUEST", "add_tags", "too_many", message, { max: maxTagsOfLink });
}

/** Changes the tags of links, whose rows are locked. Tags are added first, which locks them, see `tagging`. */
async function retag(
  database: Database,
  accountId: string,
  ids: readonly string[],
  { set, add_tags = [], remove_tags = [] }: Retagging,
): Promise<void> {
  const tags = [...(set ?? []), ...add_tags];
  await requireRoomForTags(database, accountId, tags);
  const links = ids.map((id) => ({ id, tags }));
  await (set === undefined ? addTags : setTags)(database, accountId, links);
  if (remove_tags.length > 0) await removeTags(database, accountId, ids, remove_tags);
}
