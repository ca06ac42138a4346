import type { LinkDeps } from "../../links/call.ts";
import { type ActivityDeps, recordActivity, serviceActor } from "../../accounts/activity/record.ts";
import { inTransaction } from "../../db/connection.ts";
import { queueMail } from "../../mail/queue.ts";
import { coreEvent } from "../../kernel/events.ts";
import { hourMs } from "../../kernel/time.ts";
import { OutboundError } from "../../outbound/outbound.ts";
import type { EventType } from "../../outbox/event-types.ts";
import type { Delivery } from "./webhook.schema.ts";
import { deliverBatch, type LoggedEvent, readEvents } from "./batch.ts";
import type { Receiver } from "./attempt.ts";

/** Milliseconds of a turn, after which other webhooks come first; with the last delivery less than a lease */
const turnMs = 20_000;
export const leaseMs = 60_000;
const batchSize = 50;

/** A webhook that this node alone delivers to, until its lease ends. */
export interface LeasedWebhook extends Receiver {
  account_id: string;
  events: EventType[];
  /** The lease's id: a node with another one changes nothing */
  lease: string;
  /** All events up to this position are delivered */
  position: string;
  /** Positions after it that are delivered too */
  delivered: string[];
  /** Position of the account's last event when the lease began */
  latest: string;
  attempts: number;
  failing_since: string | null;
}

/**
 * Delivers to one webhook until nothing is left, a delivery fails, or its time is over; returns the number of
 * attempts. If the process ends before saving, deliveries are repeated.
 */
export async function takeTurn(deps: LinkDeps, webhook: LeasedWebhook, signal: AbortSignal): Promise<number> {
  const endsAt = performance.now() + turnMs;
  const mayContinue = () => performance.now() < endsAt && !signal.aborted;
  let state: State = {
    position: BigInt(webhook.position),
    delivered: new Set(webhook.delivered.map(BigInt)),
    attempts: webhook.attempts,
  };
  let made = 0;
  try {
    while (mayContinue()) {
      const { position, delivered, attempts } = state;
      // A failing webhook is tried with one event, not many at once.
      const limit = attempts > 0 ? 1 + delivered.size : batchSize;
      const events = await readEvents(deps, webhook, position, limit);
      if (events.length === 0) {
        // The turn may have delivered events that were logged since it began.
        const latest = BigInt(webhook.latest);
        const end = latest > position ? latest : position;
        await save(deps, webhook, { position: end, delivered: new Set(), attempts: 0 });
        break;
      }
      const open = events.filter((event) => !delivered.has(event.position));
      const { failure, ...result } = await deliverBatch(deps, webhook, open, attempts, mayContinue, signal);
      made += result.attempts;
      const known = new Set([...delivered, ...result.delivered]);
      state = { ...progress(position, events, known), attempts: failure ? attempts + 1 : 0 };
      if (failure) await fail(deps, webhook, failure, state);
      if (failure || !(await save(deps, webhook, state))) break;
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
  } finally {
    await release(deps, webhook);
  }
  return made;
}

/** Moves the position past all events that are delivered without a gap. */
function progress(from: bigint, events: readonly LoggedEvent[], delivered: ReadonlySet<bigint>) {
  let position = from;
  for (const event of events) {
    if (!delivered.has(event.position)) break;
    position = event.position;
  }
  return { position, delivered: new Set([...delivered].filter((each) => each > position)) };
}

/** How far a webhook is, as in `LeasedWebhook`. */
interface State {
  position: bigint;
  delivered: ReadonlySet<bigint>;
  attempts: number;
}

/** False if the lease is lost: the webhook was changed, deleted, or leased by another node. */
async function save(
  { pool }: Pick<LinkDeps, "pool">,
  { id, lease }: LeasedWebhook,
  { position, delivered, attempts }: State,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "save-webhook",
    text: `update webhooks set position = $3, delivered = $4, attempts = $5, failing_since = null
           where id = $1 and lease = $2`,
    values: [id, lease, String(position), Array.from(delivered, String), attempts],
  });
  return rowCount === 1;
}

/** Plans the next attempt; switches the webhook off if there have been enough, or if the receiver is gone (410). */
async function fail(
  deps: ActivityDeps,
  webhook: LeasedWebhook,
  delivery: Delivery,
  state: State,
): Promise<void> {
  const now = deps.clock();
  const since =
    webhook.failing_since === null || state.attempts === 1 ? now : new Date(webhook.failing_since);
  const next = delivery.status === 410 ? null : nextAttempt(state.attempts, since, now);
  const reason = next === null ? reasonOf(delivery) : null;
  const { host } = new URL(webhook.url);
  const isDone = await inTransaction(deps.pool, async (database) => {
    const { rowCount } = await database.query({
      name: "fail-webhook",
      text: `update webhooks set position = $3, delivered = $4, attempts = $5, failing_since = $6,
             active = $7::text is null, inactive_reason = $7, next_at = $8
           where id = $1 and lease = $2`,
      values: [
        webhook.id,
        webhook.lease,
        String(state.position),
        Array.from(state.delivered, String),
        state.attempts,
        since,
        reason,
        next ?? now,
      ],
    });
    const to = { workspace: webhook.account_id, permission: "webhooks" } as const;
    const data = {
      host,
      isGone: delivery.status === 410,
      path: `/settings/webhooks?workspace=${webhook.account_id}`,
    };
    if (reason !== null && rowCount === 1) await queueMail(database, deps, to, { kind: "webhook_off", data });
    return rowCount === 1;
  });
  if (reason === null || !isDone) return;
  deps.onEvent(
    coreEvent("webhook_switched_off", { id: webhook.id, account: webhook.account_id, host, reason }),
  );
  await recordActivity(deps, serviceActor(webhook.account_id), "webhook_switched_off", `${host}: ${reason}`, {
    id: webhook.id,
    name: host,
  });
}

function reasonOf({ status, failure }: Delivery): string {
  if (status === 410) return "The receiver answered 410 (Gone)";
  const last = status === null ? failure : `The last answer had the status ${status}`;
  return `No delivery succeeded for three days. ${last}`;
}

/** Other webhooks come first now. */
async function release(
  { pool, clock }: Pick<LinkDeps, "pool" | "clock">,
  { id, lease }: LeasedWebhook,
): Promise<void> {
  await pool.query({
    name: "release-webhook",
    text: `update webhooks set lease = null, leased_until = null, next_at = greatest(next_at, $3)
           where id = $1 and lease = $2`,
    values: [id, lease, clock()],
  });
}

/** Milliseconds of failures after which a webhook is switched off */
const maxFailingMs = 72 * hourMs;

/** Seconds before the next attempt, by the number of failed ones: from five seconds to eight hours, which repeat. */
const pauses = [5, 30, 120, 600, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600];

/**
 * When a webhook that has failed `attempts` times in a row, first at `since`, is retried; null if it is switched off
 * instead. The last attempt is at the end of the three days.
 */
function nextAttempt(attempts: number, since: Date, now: Date): Date | null {
  const end = since.getTime() + maxFailingMs;
  if (now.getTime() >= end) return null;
  const pause = pauses[Math.min(attempts, pauses.length) - 1] as number;
  return new Date(Math.min(now.getTime() + 1000 * pause, end));
}
