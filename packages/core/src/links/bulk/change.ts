import type { Em } from "../../db/em.ts";
import { type Queries, queriesOf } from "../../db/queries.ts";
import { addedTo, findLoops, refuseKnownLoops, refuseOwnHost, whereNoLoop } from "../../domains/index.ts";
import type { Account } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Call } from "../../rpc/procedure.ts";
import { refuseBlocked } from "../../screening/index.ts";
import { LinkEntity } from "../link.entity.ts";
import { demandOptions, destinationsOf, storedDestinationsOf } from "../options.ts";
import { bytesOf } from "../storage.ts";
import type { Changes, ChangedColumns } from "../update.ts";
import { screeningOf } from "./screening.ts";
import { type BulkLink, type ChangedMany, Selection } from "./selection.ts";

/** What surrounds an operation on many links in its transaction. */
export interface Transaction<Answer = ChangedMany> {
  /** Called first */
  begin(database: Queries): Promise<void>;
  /** Called last, with the answer if it is committed; what it throws rolls back. */
  end(database: Queries, answer: Answer): Promise<void>;
}

/** What changes: the input, and the columns that it changes, which are made when they are needed. */
export interface Wanted {
  set: Changes;
  columns(): Promise<ChangedColumns>;
}

/** Changes links alike, each as `links.update` does: what can be changed changes together. */
export async function changeLinks(
  ctx: Call & { account: Account },
  ids: readonly string[],
  { set, columns }: Wanted,
  { begin, end }: Transaction,
  isDryRun: boolean,
): Promise<ChangedMany> {
  const { deps, account, em } = ctx;
  const wanted = destinationsOf(set);
  const added = (link: BulkLink) => addedTo(storedDestinationsOf(link), wanted);
  const screening = await screeningOf(deps, wanted);
  const urls = wanted.map(([, url]) => url);
  const loops = await findLoops(deps, account.id, urls);

  async function select(from: Em, lock: "locked" | "unlocked"): Promise<Selection> {
    const selection = await Selection.of(from, ids, lock);
    await selection.check(async (link) => {
      demandOptions(ctx, set, link);
      refuseOwnHost(deps, added(link));
      await refuseBlocked(screening, added(link));
      refuseKnownLoops(loops, added(link));
    });
    return selection;
  }

  const possible = await select(em, "unlocked");
  if (isDryRun || possible.links.length === 0) return possible.answer();
  const changes = await columns();
  if (Object.keys(changes).length === 0) return { ...possible.answer(), changed: 0 };
  const selection = await em.transactional(async (tx) => {
    const database = queriesOf(tx);
    await begin(database);
    const locked = await select(tx, "locked");
    const bytes = locked.links.map((link) => bytesOf({ ...link, ...changes }) - bytesOf(link));
    await deps.storage.take(ctx.actor, { links: 0, bytes: bytes.reduce((sum, more) => sum + more, 0) });
    const all = { ...changes, updated_at: deps.clock() };
    const isAdding = (link: BulkLink) => added(link).length > 0;
    const keeping = { id: { $in: idsOf(locked.links.filter((link) => !isAdding(link))) } };
    const adding = { id: { $in: idsOf(locked.links.filter(isAdding)) } };
    const changed =
      (await tx.nativeUpdate(LinkEntity, keeping, all)) +
      (await tx.nativeUpdate(LinkEntity, { ...adding, ...whereNoLoop(account.id, wanted) }, all));
    if (changed !== locked.links.length) {
      // A host became a short-link host just now.
      throw new AppError("SERVICE_UNAVAILABLE", "Another change was made at the same time; try again", {
        retryAfter: 1,
      });
    }
    await end(database, locked.answer());
    return locked;
  });
  for (const link of selection.links) deps.invalidate(link);
  return selection.answer();
}

const idsOf = (links: readonly BulkLink[]) => links.map(({ id }) => id);
