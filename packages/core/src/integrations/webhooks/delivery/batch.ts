import type { AnalyticsDeps } from "../../../analytics/call.ts";
import type { Delivery } from "../webhook.schema.ts";
import { attempt } from "./attempt.ts";
import { dataOf, type LoggedEvent } from "./events.ts";
import { stagesOf } from "./lanes.ts";
import { messageOf } from "./message.ts";
import type { Receiver } from "./receiver-row.ts";

/** Deliveries to one webhook at the same time */
const maxLanes = 8;

export interface BatchResult {
  /** Positions of the events that need not be delivered again */
  delivered: Set<bigint>;
  /** The delivery that ended it; null if all succeeded */
  failure: Delivery | null;
  attempts: number;
}

/** Delivers events, those of one link in their order, until one fails, or none is left. */
export async function deliverBatch(
  deps: AnalyticsDeps,
  receiver: Receiver & { account_id: string },
  events: readonly LoggedEvent[],
  /** Failed attempts so far of the first event */
  failed: number,
  mayContinue: () => boolean,
  signal: AbortSignal,
): Promise<BatchResult> {
  const result: BatchResult = { delivered: new Set(), failure: null, attempts: 0 };

  async function deliver(lane: readonly LoggedEvent[]): Promise<void> {
    for (const event of lane) {
      if (result.failure || !mayContinue()) return;
      const data = await dataOf(deps, receiver.account_id, event);
      if (data !== null) {
        const { event_id: id, type, at } = event;
        result.attempts += 1;
        const sent = { id, type, body: messageOf({ type, at, data }), attempt: failed + 1 };
        const delivery = await attempt(deps, receiver, sent, signal);
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
      for (let lane = waiting.shift(); lane; lane = waiting.shift()) await deliver(lane);
    };
    await Promise.all(Array.from({ length: Math.min(maxLanes, stage.length) }, next));
    if (result.failure || !mayContinue()) break;
  }
  return result;
}
