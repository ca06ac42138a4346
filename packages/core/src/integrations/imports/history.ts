import type { HistoricVisit, ImportPosition, HistoryImporter } from "../integrations.types.ts";
import type { LinkDeps } from "../../links/call.ts";
import { createClickStore } from "../../clicks/drain/store/store.ts";
import type { RawClick } from "../../clicks/log/format.ts";
import { REPORTED } from "../../clicks/derive/bot-class.ts";
import { withCurrentBatches } from "../../clicks/drain/store/required-rows.ts";
import { refusal } from "../../kernel/errors.ts";
import { importLinks, previewLinks } from "../../links/bulk/import.ts";
import type { Pool, PoolClient } from "pg";

/** No shortener has older visits: the first ones appeared in 2001. Milliseconds since the epoch. */
export const earliestVisit = Date.UTC(2000, 0);

/** Links may change here between two imports; the second still brings their newer visits. */
const allowed = "all but the destination";

export function createHistoryImporter(deps: LinkDeps): HistoryImporter {
  const { pool } = deps;
  const store = createClickStore(deps);

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
        if (!isStored) throw refusal("CONFLICT", "", "changed_meanwhile", changed, { resource: "link" });
        const bots = batch.clicks.filter(({ is_bot }) => is_bot).length;
        return { clicks: batch.clicks.length - bots, bots };
      });
    },
  };
}

const changed =
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

/** The known place is in the field of the address, which helps identify a visitor. */
const toClick = (visit: HistoricVisit): RawClick => ({
  ...visit,
  address: visit.place,
  flags: visit.is_bot ? REPORTED : 0,
  variant: -1,
});

async function positionsOf(
  pool: Pool,
  source: string,
  linkIds: readonly string[],
): Promise<Map<string, ImportPosition>> {
  const { rows } = await pool.query<{ link_id: string } & ImportPosition>(
    `select link_id, position::float8 as position, (extract(epoch from last_at) * 1000)::float8 as last_at
     from import_positions where source = $1 and link_id = any($2::uuid[])`,
    [source, linkIds],
  );
  return new Map(rows.map(({ link_id, ...position }) => [link_id, position]));
}

/** The step of one link from one position to another. */
interface Step {
  link_id: string;
  before: number;
  after: ImportPosition;
}

/**
 * Moves the positions of an account's links. Returns false if one of them is not at its `before`, or its link is
 * gone; the caller must then roll back. Waits for other imports that move the same links.
 */
async function advance(
  database: PoolClient,
  { accountId, source, steps }: { accountId: string; source: string; steps: readonly Step[] },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into import_positions as p (link_id, source, position, last_at)
     select id, $2, after, last_at
     from unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::timestamptz[]) as t (link_id, before, after, last_at)
     join links on links.id = t.link_id and account_id = $1
     where before = 0 or exists (
       select from import_positions e where e.link_id = t.link_id and source = $2 and position = before)
     order by id
     on conflict (link_id, source) do update set position = excluded.position, last_at = excluded.last_at
       where p.position = ($4::bigint[])[array_position($3::uuid[], p.link_id)]`,
    [
      accountId,
      source,
      steps.map(({ link_id }) => link_id),
      steps.map(({ before }) => before),
      steps.map(({ after }) => after.position),
      steps.map(({ after }) => new Date(after.last_at)),
    ],
  );
  return rowCount === steps.length;
}
