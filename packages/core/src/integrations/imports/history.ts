import type { AnalyticsDeps } from "../../analytics/call.ts";
import { createClickStore } from "../../clicks/drain/store/store.ts";
import type { RawClick } from "../../clicks/log/format.ts";
import { REPORTED } from "../../clicks/derive/bot-class.ts";
import { withCurrentBatches } from "../../clicks/drain/store/required-rows.ts";
import { AppError } from "../../kernel/errors.ts";
import { previewLinks, importLinks } from "../../links/bulk/import.ts";
import type { HistoricVisit, HistoryImporter, ImportPosition } from "./imports.types.ts";
import { advance, positionsOf, type Step } from "./positions.ts";

/** No shortener has older visits: the first ones appeared in 2001. Milliseconds since the epoch. */
export const earliestVisit = Date.UTC(2000, 0);

/** Links may be changed here between two imports; the second one brings their newer visits all the same. */
const allowed = "all but the destination";

/** See HistoryImporter. */
export function createHistoryImporter(deps: AnalyticsDeps): HistoryImporter {
  const { pool, clock, randomBytes, locator } = deps;
  const store = createClickStore(pool, clock, randomBytes, locator);

  return {
    addLinks: (account, links) => importLinks(deps, account, { links, allowed }),
    previewLinks: (account, links) => previewLinks(deps, account, { links, allowed }),
    positionsOf: (source, linkIds) => positionsOf(pool, source, linkIds),
    async addVisits(account, source, visits, before) {
      const steps = stepsOf(visits, before);
      return withCurrentBatches(async () => {
        const batch = await store.prepare(visits.map(toClick), earliestVisit);
        const isStored = await store.store(batch, (database) =>
          advance(database, { accountId: account.id, source, steps }),
        );
        if (!isStored) throw new AppError("CONFLICT", changedMeanwhile);
        const bots = batch.clicks.filter(({ is_bot }) => is_bot).length;
        return { clicks: batch.clicks.length - bots, bots };
      });
    },
  };
}

const changedMeanwhile =
  "Another import of the same links is running, or one of them was deleted: run the import again";

/** In the order of their ids, so that two imports cannot wait for each other. */
function stepsOf(
  visits: readonly HistoricVisit[],
  before: ReadonlyMap<string, ImportPosition>,
): readonly Step[] {
  const steps = new Map<string, Step>();
  for (const { link_id, position, time } of visits) {
    const from = before.get(link_id)?.position ?? 0;
    const step = steps.get(link_id) ?? { link_id, before: from, after: { position: from, last_at: 0 } };
    if (position <= step.after.position)
      throw new RangeError("Visits must be in the order of their positions");
    step.after = { position, last_at: time };
    steps.set(link_id, step);
  }
  return [...steps.values()].toSorted((a, b) => (a.link_id < b.link_id ? -1 : 1));
}

/** Whatever is known of the place is in the field of the address, which is a part of what identifies a visitor. */
const toClick = (visit: HistoricVisit): RawClick => ({
  ...visit,
  address: visit.place,
  flags: visit.is_bot ? REPORTED : 0,
  variant: -1,
});
