import type { LinkDeps } from "../../links/call.ts";
import type { Delivery } from "./webhook.schema.ts";
import { deliver, messageOf, record, type Receiver } from "./attempt.ts";
import type { Base } from "../../db/base.ts";
import { clicksById } from "../../analytics/live/listed-clicks.ts";
import { type ActivityRow, toLogged } from "../../accounts/activity/entry.ts";
import { DomainEntity, toDomain } from "../../domains/domain.row.ts";
import { LinkEntity, toLinks } from "../../links/link.row.ts";
import type { EventType } from "../../outbox/event-types.ts";

/** Deliveries to one webhook at the same time */
const maxLanes = 8;

/**
 * Delivers events, in order for each link, until one fails or none is left. Returns the positions of the events that
 * need not be delivered again, and the delivery that ended it; null if all succeeded.
 */
export async function deliverBatch(
  deps: LinkDeps,
  receiver: Receiver & { account_id: string },
  events: readonly LoggedEvent[],
  /** Failed attempts so far of the first event */
  failed: number,
  mayContinue: () => boolean,
  signal: AbortSignal,
) {
  const result = { delivered: new Set<bigint>(), failure: null as Delivery | null, attempts: 0 };

  async function deliverLane(lane: readonly LoggedEvent[]): Promise<void> {
    for (const event of lane) {
      if (result.failure || !mayContinue()) return;
      const data = await dataOf(deps, receiver.account_id, event);
      if (data !== null) {
        const { event_id: id, type, at } = event;
        result.attempts += 1;
        const sent = { id, type, body: messageOf(type, at, data), attempt: failed + 1 };
        const delivery = await deliver(deps, receiver, sent, signal);
        await record(deps.pool, receiver.id, delivery);
        if (!delivery.ok) {
          result.failure ??= delivery;
          return;
        }
      }
      result.delivered.add(event.position);
    }
  }

  for (const stage of stagesOf(events)) {
    const waiting = [...stage];
    const next = async () => {
      for (let lane = waiting.shift(); lane; lane = waiting.shift()) await deliverLane(lane);
    };
    await Promise.all(Array.from({ length: Math.min(maxLanes, stage.length) }, next));
    if (result.failure || !mayContinue()) break;
  }
  return result;
}

/**
 * Splits events, which are in order, into stages that follow each other. The lanes of a stage can be delivered at the same time:
 * each has the events of one link or domain, in their order. An event about several links is a stage of its own.
 */
function stagesOf(events: readonly LoggedEvent[]): LoggedEvent[][][] {
  const stages: Map<string | null, LoggedEvent[]>[] = [];
  for (const event of events) {
    const id = event.subject?.id ?? null;
    let stage = stages.at(-1);
    if (stage === undefined || id === null || stage.has(null)) stages.push((stage = new Map()));
    stage.set(id, [...(stage.get(id) ?? []), event]);
  }
  return stages.map((stage) => [...stage.values()]);
}

/** An event of the log, in the order of positions. */
export interface LoggedEvent {
  position: bigint;
  event_id: string;
  type: EventType;
  at: Date;
  /** The row of the link or domain, or an alert's data. A deleted link's row has its tags, too; a workspace its `line`. */
  subject: { id: string; tags?: string[]; line?: ActivityRow } | null;
  /** Ids of clicks, of link.clicked */
  clicks: string[] | null;
}

interface Row extends Omit<LoggedEvent, "position" | "at"> {
  position: string;
  at: string;
}

/** Reads the events after a position that a webhook is sent. */
export async function readEvents(
  { pool }: Pick<Base, "pool">,
  { account_id, events }: { account_id: string; events: readonly EventType[] },
  after: bigint,
  limit: number,
): Promise<LoggedEvent[]> {
  const { rows } = await pool.query<Row>({
    name: "read-webhook-events",
    text: `select position, event_id, type, at, subject, clicks from webhook_events
           where account_id = $1 and position > $2 and type = any ($3) order by position limit $4`,
    values: [account_id, String(after), events, limit],
  });
  return rows.map((row) => ({ ...row, position: BigInt(row.position), at: new Date(row.at) }));
}

/** The data of an event. Null if none is left: its clicks are past their retention. */
async function dataOf(
  deps: LinkDeps,
  accountId: string,
  { type, subject, clicks }: LoggedEvent,
): Promise<unknown> {
  if (type === "link.clicked") {
    const listed = await clicksById(deps, accountId, clicks ?? []);
    return listed.length === 0 ? null : { clicks: listed };
  }
  if (subject === null || type === "alert.fired") return subject;
  if (type === "activity.created") return subject.line ? toLogged(subject.line) : null;
  const em = deps.orm.em.fork();
  if (type === "domain.verified" || type === "domain.failed")
    return toDomain(deps, em.map(DomainEntity, subject));
  const { tags, ...row } = subject;
  const [link] = await toLinks({ deps, em }, [em.map(LinkEntity, row)]);
  return tags === undefined ? link : { ...link, tags };
}
