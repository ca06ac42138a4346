import type { Account } from "../../kernel/context.ts";
import type { HistoricLink, HistoricLinkResult } from "../../links/import.types.ts";
import type { AnalyticsDeps } from "../../analytics/call.ts";
import { createClickStore } from "../../clicks/drain/store/store.ts";
import type { RawClick } from "../../clicks/log/format.ts";
import { REPORTED } from "../../clicks/derive/bot-class.ts";
import { withCurrentBatches } from "../../clicks/drain/store/required-rows.ts";
import { AppError } from "../../kernel/errors.ts";
import { importLinks, previewLinks } from "../../links/bulk/import.ts";
import type { Pool, PoolClient } from "pg";

/** A visit that another service recorded. */
export interface HistoricVisit {
  link_id: string;
  /** Its place among the visits of this link at its source: a whole number from 1 that never changes and grows with time */
  position: number;
  /** Milliseconds since the epoch, from `earliestVisit` until now */
  time: number;
  /** Whatever the source knows of where the visitor was, best an address: tells visitors apart, and is not stored */
  place: string;
  /** As received, "" if unknown, which counts as a bot */
  user_agent: string;
  /** As received, "" if none */
  referrer: string;
  /** ISO 3166-1 alpha-2, "" if unknown; then the country of `place`, if that is an address */
  country: string;
  /** True if the source took it for a bot's; our own rules find others */
  is_bot: boolean;
}

/** How far the visits of a link are imported. */
export interface ImportPosition {
  /** Of the last imported visit; 0 if there is none */
  position: number;
  /** Its time in milliseconds since the epoch */
  last_at: number;
}

/** Takes over links of other services with the clicks that were counted there. */
export interface HistoryImporter {
  /**
   * Creates up to a thousand links with the checks of `links.create`, but not counted as creations. A link that the account
   * has already with the same short URL and destination stays as it is; only `imported_clicks` grows to the given number.
   */
  addLinks(account: Account, links: readonly HistoricLink[]): Promise<HistoricLinkResult[]>;
  /** What `addLinks` would answer now. Changes nothing; two links of one call with the same slug are seen, of two calls not. */
  previewLinks(account: Account, links: readonly HistoricLink[]): Promise<HistoricLinkResult[]>;
  /** The positions of links of which visits were imported from `source`, such as "shlink". */
  positionsOf(source: string, linkIds: readonly string[]): Promise<Map<string, ImportPosition>>;
  /**
   * Counts visits as clicks of their own times, in one transaction with the links' new positions: after an interruption,
   * either all of them are counted or none. Each visit lies behind the `before` of its link; a link that is missing there
   * has position 0. Throws a CONFLICT if the positions in the database are others, such as those of another import that runs.
   */
  addVisits(
    account: Account,
    source: string,
    visits: readonly HistoricVisit[],
    before: ReadonlyMap<string, ImportPosition>,
  ): Promise<VisitTotals>;
}

/** Visits of people, and of bots. */
export interface VisitTotals {
  clicks: number;
  bots: number;
}

/** No shortener has older visits: the first ones appeared in 2001. Milliseconds since the epoch. */
export const earliestVisit = Date.UTC(2000, 0);

/** Links may be changed here between two imports; the second one brings their newer visits all the same. */
const allowed = "all but the destination";

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
        if (!isStored) throw new AppError("CONFLICT", changed);
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

/** Whatever is known of the place is in the field of the address, which is a part of what identifies a visitor. */
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
  const { rows } = await pool.query<{ link_id: string; position: string; last_at: string }>(
    `select link_id, position, extract(epoch from last_at) * 1000 as last_at from import_positions
     where source = $1 and link_id = any($2::uuid[])`,
    [source, linkIds],
  );
  return new Map(
    rows.map(({ link_id, position, last_at }) => [
      link_id,
      { position: Number(position), last_at: Number(last_at) },
    ]),
  );
}

/** The step of one link from one position to another. */
interface Step {
  link_id: string;
  before: number;
  after: ImportPosition;
}

/**
 * Moves the positions of an account's links. Returns false if one of them is not at its `before`, or its link is gone; the
 * transaction is to be rolled back then. Another import that moves the same links is waited for.
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
