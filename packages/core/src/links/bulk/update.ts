import { addedTo, findLoops, refuseKnownLoops, refuseOwnHost, whereNoLoop } from "../../domains/index.ts";
import type { Em } from "../../db/em.ts";
import { databaseOf } from "../../db/statements.ts";
import { AppError } from "../../kernel/errors.ts";
import { accountProcedure, bulk } from "../../rpc/procedure.ts";
import { refuseBlocked } from "../../screening/index.ts";
import { fieldsOf } from "../../validation/inputs.ts";
import { changeBy, tell, toldOf } from "../history/change.ts";
import { LinkEntity } from "../link.entity.ts";
import { demandOptions, destinationsOf, storedDestinationsOf } from "../options.ts";
import { bytesOf, bytesPerTag } from "../storage.ts";
import { refuseEndBeforeStart } from "../times.ts";
import { changeFields, changesIn } from "../update.ts";
import { dryRunInput, exampleIds, idsInput } from "./bulk.input.ts";
import { countTags, isRetagging, refuseTooManyTags, retag, retagFields, type TagCount } from "./retag.ts";
import { screeningOf } from "./screening.ts";
import { type BulkLink, changedMany, Selection } from "./selection.ts";
import { withBulkSlot } from "./slot.ts";

const fields = fieldsOf({
  ids: idsInput,
  set: fieldsOf(changeFields).optional().describe("What changes, as in the update of one link"),
  ...retagFields,
  dry_run: dryRunInput,
});

/** Changes up to a thousand links alike, each as `links.update` does. */
export const updateLinks = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "POST",
      path: "/v1/links/bulk/update",
      tags: ["Links"],
      summary: "Change many links",
      description:
        "Links that cannot be changed are in `results`; all others change together. A slug belongs to one link, so it cannot be set here.",
      example: { ids: exampleIds, set: { is_active: 0 }, dry_run: true },
      successDescription: "How many links were changed",
      errors: [429],
    },
  })
  .use(bulk)
  .input(fields)
  .output(changedMany)
  .mutation(({ ctx, input: { ids, set = {}, add_tags, remove_tags, dry_run } }) => {
    const { deps, account, em } = ctx;
    const retagging = { set: set.tags, add_tags, remove_tags };
    const isTagged = isRetagging(retagging);
    const wanted = destinationsOf(set);
    const added = (link: BulkLink) => addedTo(storedDestinationsOf(link), wanted);
    return withBulkSlot(deps, account.id, async () => {
      const screening = await screeningOf(deps, wanted);
      const urls = wanted.map(([, url]) => url);
      const loops = await findLoops(deps, account.id, urls);

      async function select(from: Em, lock: "locked" | "unlocked"): Promise<[Selection, TagCounts]> {
        const selection = await Selection.of(from, ids, lock);
        const counts: TagCounts = isTagged
          ? await countTags(databaseOf(from), idsOf(selection.links), retagging)
          : new Map();
        await selection.check(async (link) => {
          refuseTooManyTags(counts.get(link.id));
          demandOptions(ctx, set, link);
          refuseEndBeforeStart(set, link);
          refuseOwnHost(deps, added(link));
          await refuseBlocked(screening, added(link));
          refuseKnownLoops(loops, added(link));
        });
        return [selection, counts];
      }

      const [possible] = await select(em, "unlocked");
      if (dry_run || possible.links.length === 0) return possible.answer();
      const changes = await changesIn(ctx, set);
      if (Object.keys(changes).length === 0 && !isTagged) return { ...possible.answer(), changed: 0 };
      const change = changeBy(ctx);
      const selection = await em.transactional(async (tx) => {
        const [locked, counts] = await select(tx, "locked");
        const bytes = locked.links.map((link) => {
          const { before = 0, after = 0 } = counts.get(link.id) ?? {};
          return bytesOf({ ...link, ...changes }) - bytesOf(link) + (after - before) * bytesPerTag;
        });
        await deps.storage.take(ctx.actor, { links: 0, bytes: bytes.reduce((sum, more) => sum + more, 0) });
        const all = { ...changes, updated_at: change.at };
        await tx.execute(`select ${tell("?")}`, [toldOf(change)]);
        const isAdding = (link: BulkLink) => added(link).length > 0;
        const keeping = { id: { $in: idsOf(locked.links.filter((link) => !isAdding(link))) } };
        const adding = { id: { $in: idsOf(locked.links.filter(isAdding)) } };
        const changed =
          (await tx.nativeUpdate(LinkEntity, keeping, all)) +
          (await tx.nativeUpdate(LinkEntity, { ...adding, ...whereNoLoop(account.id, wanted) }, all));
        if (changed === locked.links.length) {
          if (isTagged) await retag(databaseOf(tx), account.id, idsOf(locked.links), retagging);
          return locked;
        }
        // A host became a short-link host just now.
        throw new AppError("SERVICE_UNAVAILABLE", "Another change was made at the same time; try again", {
          retryAfter: 1,
        });
      });
      for (const link of selection.links) deps.invalidate(link);
      return { ...selection.answer(), change_id: change.id };
    });
  });

type TagCounts = ReadonlyMap<string, TagCount>;

const idsOf = (links: readonly BulkLink[]) => links.map(({ id }) => id);
