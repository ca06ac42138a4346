import type { HealthChecks } from "./health.schema.ts";
import { backgroundLoop } from "../../kernel/async/background-loop.ts";
import { coreEvent } from "../../kernel/events.ts";
import { dayMs } from "../../kernel/time.ts";
import { OutboundError } from "../../outbound/outbound.ts";
import type { CallDeps } from "../../rpc/call.ts";
import { createDestinationCheck } from "./check-destination.ts";
import {
  addLinks,
  type DueLink,
  leaseHosts,
  nextLink,
  type QueueDeps,
  releaseHost,
  skipLink,
  storeHealth,
} from "./queue.ts";
import { healthAfter, isFailure } from "./verdict.ts";

/** Hosts that a node asks at the same time */
const maxHosts = 10;
/** Links that are skipped before other hosts come first */
const maxSkipped = 100;
/** Milliseconds between two searches if no host is due */
const idleMs = 5000;
const firstId = "00000000-0000-0000-0000-000000000000";
/** Thousands of links that are looked at before the next checks */
const maxBatches = 20;

/** Checks the destinations of links in the background. Several nodes share the work. */
export function createHealthChecks(
  deps: QueueDeps & Pick<CallDeps, "outbound" | "baseUrl" | "onEvent">,
): HealthChecks {
  /** All links up to this id were looked at since `sweptAt` */
  let lastId = firstId;
  let sweptAt = 0;

  /** Adds new links to the queue. Looks at all of them daily, because ids are not quite in the order of creation. */
  async function addNewLinks(): Promise<void> {
    const now = deps.clock().getTime();
    if (now - sweptAt >= dayMs) [lastId, sweptAt] = [firstId, now];
    for (let batch = 0; batch < maxBatches; batch++) {
      const last = await addLinks(deps, lastId);
      if (last === null) return;
      lastId = last;
    }
  }

  async function checkHost(host: string): Promise<number> {
    let checked = 0;
    for (let skipped = 0; skipped < maxSkipped && !loop.signal.aborted; skipped++) {
      const link = await nextLink(deps, host);
      if (link?.is_open) {
        checked += 1;
        await checkLink(link);
      }
      if (!link || link.is_open) break;
      await skipLink(deps, link.link_id);
    }
    await releaseHost(deps, host);
    return checked;
  }

  async function checkLink(link: DueLink): Promise<void> {
    const found = await check(new URL(link.destination), loop.signal);
    const before = { ...link, since: link.since === null ? null : new Date(link.since) };
    const after = healthAfter(before, found, deps.clock());
    const isChanged = isFailure(after.status) !== isFailure(before.status);
    const event = isFailure(after.status) ? "link.unhealthy" : "link.healthy";
    await storeHealth(deps, link, after, isChanged ? event : null);
  }

  /** Checks one link of each of some hosts that are due; returns the numbers of hosts and of links. */
  async function round(): Promise<{ hosts: number; checked: number }> {
    const hosts = await leaseHosts(deps, maxHosts);
    const results = await Promise.allSettled(hosts.map(checkHost));
    for (const result of results)
      if (result.status === "rejected" && !(result.reason instanceof OutboundError)) throw result.reason;
    const checked = results.reduce((sum, each) => sum + (each.status === "fulfilled" ? each.value : 0), 0);
    return { hosts: hosts.length, checked };
  }

  const loop = backgroundLoop({
    async runOnce() {
      await addNewLinks();
      const { hosts } = await round();
      return hosts === maxHosts ? 0 : idleMs;
    },
    initialDelayMs: idleMs,
    retryMs: 60_000,
    onFailure: (err) => deps.onEvent(coreEvent("health_checks_failing", { err })),
    onRecovery: () => deps.onEvent(coreEvent("health_checks_restored")),
  });
  const check = createDestinationCheck(deps, loop.signal);

  return {
    async checkDue() {
      if (deps.healthChecks === "off") return 0;
      await addNewLinks();
      let total = 0;
      for (let more = true; more; ) {
        const { hosts, checked } = await round();
        total += checked;
        more = hosts > 0;
      }
      return total;
    },
    start() {
      if (deps.healthChecks !== "off") loop.start();
    },
    close: loop.stop,
  };
}
