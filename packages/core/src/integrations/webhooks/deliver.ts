import type { Webhooks } from "./webhook.schema.ts";
import type { LinkDeps } from "../../links/call.ts";
import { backgroundLoop } from "../../kernel/async/background-loop.ts";
import { lease } from "../../db/lease.ts";
import { coreEvent } from "../../kernel/events.ts";
import { planNames } from "../../kernel/names.ts";
import { numberEvents } from "../../outbox/number-events.ts";
import { type LeasedWebhook, leaseMs, takeTurn } from "./turn.ts";

/** Webhooks that a node delivers to at the same time, so that slow ones do not delay others */
const maxTurns = 32;
/** Milliseconds between two searches for webhooks that are due */
const pauseMs = 1000;

/** Delivers events to webhooks. Several nodes share the work: each leases webhooks for a short time. */
export function createWebhooks(deps: LinkDeps): Webhooks {
  const plans = planNames.filter((plan) => deps.plans[plan].features.webhooks);
  const turns = new Set<Promise<number>>();
  let failure: unknown;

  /** Begins turns of webhooks that are due, as many as there is room for; returns how many. */
  async function begin(): Promise<number> {
    while (await numberEvents(deps.pool, deps.clock()));
    const free = maxTurns - turns.size;
    if (free === 0) return 0;
    const webhooks = await leaseDue(deps, plans, free);
    for (const webhook of webhooks) {
      const turn = takeTurn(deps, webhook, loop.signal).catch((error: unknown) => {
        failure = error;
        return 0;
      });
      turns.add(turn);
      void turn.finally(() => turns.delete(turn));
    }
    return webhooks.length;
  }

  /** A failed turn is reported as a failure of the loop. */
  function throwFailure(): void {
    const error = failure;
    failure = undefined;
    if (error !== undefined) throw error;
  }

  const loop = backgroundLoop({
    async runOnce() {
      throwFailure();
      await begin();
      return pauseMs;
    },
    retryMs: 5 * pauseMs,
    onFailure: (err) => deps.onEvent(coreEvent("webhooks_failing", { err })),
    onRecovery: () => deps.onEvent(coreEvent("webhooks_restored")),
  });

  return {
    async deliverDue() {
      let attempts = 0;
      while ((await begin()) > 0) {
        const made = await Promise.all(turns);
        attempts += made.reduce((sum, each) => sum + each, 0);
        throwFailure();
      }
      return attempts;
    },
    start: loop.start,
    async close() {
      await loop.stop();
      await Promise.all(turns);
    },
  };
}

/** Leases webhooks that have something to deliver, those that have waited longest first. */
async function leaseDue(
  { pool, clock }: Pick<LinkDeps, "pool" | "clock">,
  plans: readonly string[],
  limit: number,
): Promise<LeasedWebhook[]> {
  const now = clock();
  return lease<LeasedWebhook>(pool, {
    name: "lease-webhooks",
    table: "webhooks",
    due: `join workspaces u on u.id = account_id
          where active and position < latest and next_at <= $1 and (leased_until is null or leased_until <= $1)
            and u.plan = any ($2) and u.suspended_at is null and u.deletes_at is null
          order by next_at`,
    limit,
    set: "lease = gen_random_uuid(), leased_until = $3",
    returning: `webhooks.id, account_id, url, events, secret, old_secret, old_secret_until, lease, position,
      delivered, latest, attempts, failing_since`,
    values: [now, plans, new Date(now.getTime() + leaseMs)],
  });
}
