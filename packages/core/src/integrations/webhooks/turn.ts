import type { AnalyticsDeps } from "../../analytics/call.ts";
import { recordActivity, serviceActor } from "../../accounts/activity/record.ts";
import { coreEvent } from "../../kernel/events.ts";
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
 * Delivers to one webhook until nothing is left, a delivery fails, or its time is over; returns the number of attempts. What
 * is delivered but not saved, because the process ends, is delivered again.
 */
export async function takeTurn(
  deps: AnalyticsDeps,
  webhook: LeasedWebhook,
  signal: AbortSignal,
): Promise<number> {
  const endsAt = performance.now() + turnMs;
  const mayContinue = () => performance.now() < endsAt && !signal.aborted;
  let position = BigInt(webhook.position);
  let delivered = new Set(webhook.delivered.map(BigInt));
  let { attempts } = webhook;
  let made = 0;
  try {
    while (mayContinue()) {
      // One that failed is asked by one event, not by many at once.
      const limit = attempts > 0 ? 1 + delivered.size : batchSize;
      const events = await readEvents(deps, webhook.account_id, {
        after: position,
        types: webhook.events,
        limit,
      });
      if (events.length === 0) {
        // The turn may have delivered events that were logged since it began.
        const latest = BigInt(webhook.latest);
        const end = latest > position ? latest : position;
        await save(deps, webhook, { position: end, delivered: [], attempts: 0 });
        return made;
      }
      const open = events.filter((event) => !delivered.has(event.position));
      const result = await deliverBatch(deps, webhook, open, attempts, mayContinue, signal);
      made += result.attempts;
      ({ position, delivered } = progress(position, events, new Set([...delivered, ...result.delivered])));
      if (result.failure) {
        await fail(deps, webhook, result.failure, {
          position,
          delivered: [...delivered],
          attempts: attempts + 1,
        });
        return made;
      }
      attempts = 0;
      if (!(await save(deps, webhook, { position, delivered: [...delivered], attempts }))) return made;
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

interface State {
  position: bigint;
  delivered: readonly bigint[];
  attempts: number;
}

/** False if the lease is lost: the webhook was changed, deleted, or leased by another node. */
async function save(
  { pool }: AnalyticsDeps,
  { id, lease }: LeasedWebhook,
  { position, delivered, attempts }: State,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "save-webhook",
    text: `update webhooks set position = $3, delivered = $4, attempts = $5, failing_since = null
           where id = $1 and lease = $2`,
    values: [id, lease, String(position), delivered.map(String), attempts],
  });
  return rowCount === 1;
}

/** Plans the next attempt; switches the webhook off if there have been enough, or if the receiver is gone (410). */
async function fail(
  deps: AnalyticsDeps,
  webhook: LeasedWebhook,
  delivery: Delivery,
  state: State,
): Promise<void> {
  const now = deps.clock();
  const since =
    webhook.failing_since === null || state.attempts === 1 ? now : new Date(webhook.failing_since);
  const next = delivery.status === 410 ? null : nextAttempt(state.attempts, since, now);
  const reason = next === null ? reasonOf(delivery) : null;
  const { rowCount } = await deps.pool.query({
    name: "fail-webhook",
    text: `update webhooks set position = $3, delivered = $4, attempts = $5, failing_since = $6,
             active = $7::text is null, inactive_reason = $7, next_at = $8
           where id = $1 and lease = $2`,
    values: [
      webhook.id,
      webhook.lease,
      String(state.position),
      state.delivered.map(String),
      state.attempts,
      since,
      reason,
      next ?? now,
    ],
  });
  if (reason === null || rowCount === 0) return;
  const { host } = new URL(webhook.url);
  deps.onEvent(
    coreEvent("webhook_switched_off", { id: webhook.id, account: webhook.account_id, host, reason }),
  );
  await recordActivity(deps, serviceActor(webhook.account_id), "webhook_switched_off", `${host}: ${reason}`);
}

function reasonOf({ status, failure }: Delivery): string {
  if (status === 410) return "The receiver answered 410 (Gone)";
  const last = status === null ? failure : `The last answer had the status ${status}`;
  return `No delivery succeeded for three days. ${last}`;
}

/** The others come first now. */
async function release({ pool, clock }: AnalyticsDeps, { id, lease }: LeasedWebhook): Promise<void> {
  await pool.query({
    name: "release-webhook",
    text: `update webhooks set lease = null, leased_until = null, next_at = greatest(next_at, $3)
           where id = $1 and lease = $2`,
    values: [id, lease, clock()],
  });
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds of failures after which a webhook is switched off */
const patienceMs = 72 * hour;

/** Milliseconds before the next attempt, by the number of failed ones; the last one repeats. */
const pauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
];

/**
 * When a webhook that has failed `attempts` times in a row, first at `since`, is tried again; null if it is switched off
 * instead. The last attempt is at the end of the three days.
 */
function nextAttempt(attempts: number, since: Date, now: Date): Date | null {
  const end = since.getTime() + patienceMs;
  if (now.getTime() >= end) return null;
  const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? hour;
  return new Date(Math.min(now.getTime() + pause, end));
}
