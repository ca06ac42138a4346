import type { HistoricVisit, ImportPosition } from "@terse/core";
import { UserError } from "@terse/server";
import type { PeerApi } from "../peer-api.ts";
import { isPossibleTime, type TakenLink, type VisitLog } from "../source.ts";
import { type Visit, visits as answer } from "./answers.ts";

export interface VisitReader {
  api: PeerApi;
  /** Path of the visits of a link */
  pathOf: (link: TakenLink) => string;
  /** Visits after this time are left for the next import, so that pages do not move while they are read. ISO 8601 */
  until: string;
  log: VisitLog;
}

/** Visits in one answer */
export const pageSize = 1000;

/**
 * Yields the visits of one link behind a position. Shlink lists them from the newest to the oldest and gives them no ids, but
 * adds each one at the end and deletes them all at once only: a visit's position is its place counted from the oldest. The
 * time of the last imported one shows whether they are still the same.
 */
export async function* readVisits(
  { api, pathOf, until, log }: VisitReader,
  link: TakenLink,
  known: ImportPosition | undefined,
): AsyncGenerator<HistoricVisit, void> {
  const read = async (page: number) => {
    const query = `page=${page}&itemsPerPage=${pageSize}&endDate=${encodeURIComponent(until)}`;
    const path = pathOf(link);
    const { visits } = await api.get(`${path}${path.includes("?") ? "&" : "?"}${query}`, answer);
    return { rows: visits.data, total: visits.pagination.totalItems };
  };
  const done = known?.position ?? 0;
  const newest = await read(1);
  const { total } = newest;
  log.found(total);
  if (total < done) {
    log.before(total);
    log.problem(link.name, otherVisits);
    return;
  }
  log.before(done);
  // The page of the last imported visit, if there is one; else that of the oldest.
  const oldestPage = Math.ceil((total - Math.max(done, 1) + 1) / pageSize);
  for (let page = oldestPage; page >= 1; page--) {
    const { rows, total: now } = page === 1 ? newest : await read(page);
    if (now !== total)
      throw new UserError(`Visits of ${link.name} were changed while they were read: run it again`);
    const oldest = total - (page - 1) * pageSize - rows.length + 1;
    for (const [at, row] of rows.toReversed().entries()) {
      const position = oldest + at;
      const time = Date.parse(row.date);
      if (position === done && time !== known?.last_at) {
        log.lost("whose link has different visits than at the last import", total - done);
        log.problem(link.name, otherVisits);
        return;
      }
      if (position <= done) continue;
      if (isPossibleTime(time)) yield toVisit(link.id, position, time, row);
      else log.lost("with an impossible time", 1);
    }
  }
}

const otherVisits = "Shlink has different visits for this link than at the last import; none were added";

function toVisit(link_id: string, position: number, time: number, visit: Visit): HistoricVisit {
  const { countryCode, regionName, cityName, latitude, longitude } = visit.visitLocation ?? {};
  return {
    link_id,
    position,
    time,
    // Shlink does not give addresses away.
    place: [countryCode, regionName, cityName, latitude, longitude].filter(Boolean).join("|"),
    user_agent: visit.userAgent,
    referrer: visit.referer,
    country: countryCode ?? "",
    is_bot: visit.potentialBot,
  };
}
