import type { Base } from "../../../db/base.ts";
import type { AnalyticsDeps } from "../../../analytics/call.ts";
import { clicksById } from "../../../analytics/listed-clicks.ts";
import { DomainEntity, toDomain } from "../../../domains/domain.row.ts";
import { LinkEntity } from "../../../links/link.row.ts";
import { toLinks } from "../../../links/link.row.ts";
import type { EventType } from "../../../outbox/event-types.ts";

/** An event of the log, in the order of positions. */
export interface LoggedEvent {
  position: bigint;
  event_id: string;
  type: EventType;
  at: Date;
  /** The row of the link or domain, or what is told of an alert. That of a deleted link has its tags, too. */
  subject: { id: string; tags?: string[] } | null;
  /** Ids of clicks, of link.clicked */
  clicks: string[] | null;
}

interface Row extends Omit<LoggedEvent, "position" | "at"> {
  position: string;
  at: string;
}

/** Reads the next events after a position that are of the given types. */
export async function readEvents(
  { pool }: Pick<Base, "pool">,
  accountId: string,
  { after, types, limit }: { after: bigint; types: readonly EventType[]; limit: number },
): Promise<LoggedEvent[]> {
  const { rows } = await pool.query<Row>({
    name: "read-webhook-events",
    text: `select position, event_id, type, at, subject, clicks from webhook_events
           where account_id = $1 and position > $2 and type = any ($3) order by position limit $4`,
    values: [accountId, String(after), types, limit],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position), at: new Date(row.at) }));
}

/** What webhooks are told of an event. Null if nothing is left of it: its clicks are past their retention. */
export async function dataOf(
  deps: AnalyticsDeps,
  accountId: string,
  { type, subject, clicks }: LoggedEvent,
): Promise<unknown> {
  const em = deps.orm.em.fork();
  if (type === "link.clicked") {
    const listed = await clicksById(deps.pool, deps, accountId, clicks ?? []);
    return listed.length === 0 ? null : { clicks: listed };
  }
  if (subject === null || type === "alert.fired") return subject;
  if (type === "domain.verified" || type === "domain.failed")
    return toDomain(deps, em.map(DomainEntity, subject));
  const { tags, ...row } = subject;
  const [link] = await toLinks({ deps, em }, [em.map(LinkEntity, row)]);
  return tags === undefined ? link : { ...link, tags };
}
