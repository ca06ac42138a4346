import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Base } from "../db/base.ts";
import { endConnections } from "../db/connection.ts";
import { traceStatements } from "../db/observe-pool.ts";
import { holdConnections, openPool, withDedicatedPool } from "../db/pool.ts";
import { coreEvent } from "../kernel/events.ts";
import type { Meter } from "../kernel/meter.ts";
import { closeMs, waitAtMost } from "../kernel/async/waiting.ts";
import type { ClickLogSettings, Clicks } from "./clicks.types.ts";
import type { Locator } from "./derive/locate.ts";
import { backlogOf, createBacklog, waitingBytes } from "./drain/backlog.ts";
import { createBatchWriter, createCountDirectly } from "./drain/count-directly.ts";
import { createDrain } from "./drain/drain.ts";
import { rebuild } from "./drain/rollups/rebuild.ts";
import { createClickStore, measuredStore } from "./drain/store/store.ts";
import { ClickLog } from "./log/click-log.ts";
import type { RawClick } from "./log/format.ts";
import { newWriter } from "./log/segment-name.ts";
import { listSegments } from "./log/segments.ts";
import { createPermits, type Permits } from "./permits.ts";
import { openClickStream, type StreamSettings } from "./stream/click-stream.ts";
import { createStreamDrain } from "./stream/drain.ts";
import { Shipper } from "./stream/shipper.ts";

/** Dependencies of counting. */
export interface ClickDeps extends Base {
  /** Finds out where visitors are */
  readonly locator: Locator;
  /** An anonymous link is deleted this many days after its creation or last click */
  readonly anonymousLinksDays: number;
}

/** Counts clicks: through a click log that survives a crash, or without one directly into the database. */
export function createClicks(
  deps: ClickDeps,
  settings: ClickLogSettings | undefined,
): { clicks: Clicks; permits: Permits } {
  const writer = newWriter();
  const clicks = settings ? throughLog(deps, settings, writer) : withoutLog(deps, writer);
  const permits = createPermits({ pool: deps.pool, writer, canKeepClicks: clicks.canKeep });
  return { clicks, permits };
}

/** The fields of a click that `record` was not given. */
const defaults = { address: "", user_agent: "", referrer: "", country: "", flags: 0, variant: -1 };

/** The drain has dedicated connections, as clients may use all others. Long timeouts: a batch may wait for a rebuild. */
const drainPool = { size: 3, kept: 3, statementMs: 120_000, silenceMs: 150_000, role: "drain" };

const storeOf = (deps: ClickDeps, pool: Pool) => measuredStore(createClickStore({ ...deps, pool }), deps);

/** The part of the closing time reserved for reporting what is left and for ending connections */
const reservedMs = 1000;

function throughLog(deps: ClickDeps, settings: ClickLogSettings, writer: string): Clicks {
  const { databaseUrl, onEvent, clock, anonymousLinksDays, meter, tracer } = deps;
  const {
    folder,
    fsync = "interval",
    keepSeconds = 600,
    retentionDays,
    stream,
    writes = true,
    reserveBytes,
  } = settings;
  const keepMs = keepSeconds * 1000;
  const shipper =
    writes && stream
      ? new Shipper({
          stream: openClickStream(stream.url),
          folder,
          shipping: stream.shipping ?? "async",
          onEvent,
        })
      : undefined;
  const pool = traceStatements(openPool(databaseUrl, drainPool), tracer);
  const store = storeOf(deps, pool);
  const log = writes
    ? new ClickLog({
        folder,
        writer,
        fsync,
        onEvent,
        follower: shipper,
        reserveBytes,
        countDirectly: createCountDirectly(pool, store, writer),
      })
    : null;
  if (log !== null) readLog(log, meter);
  if (shipper) readShipper(shipper, meter);
  const drain = createDrain({
    pool,
    store,
    folder,
    keepMs,
    // If a node is lost after it stored one part of a batch, the stream may lack the bytes of the others.
    ...(stream && { splitFrom: Number.POSITIVE_INFINITY }),
    onEvent,
    meter,
    clock,
    retentionDays,
    anonymousLinksDays,
  });
  const streamDrain = stream ? openStreamDrain(stream) : undefined;

  function openStreamDrain({ url }: StreamSettings) {
    const streamPool = traceStatements(openPool(databaseUrl, { ...drainPool, size: 1 }), tracer);
    const drainOfStream = createStreamDrain({
      pool: streamPool,
      store: storeOf(deps, streamPool),
      stream: openClickStream(url),
      keepMs,
      onEvent,
    });
    return { ...drainOfStream, close: () => endConnections(streamPool) };
  }

  let isDraining = false;
  let closing: Promise<void> | undefined;
  async function close(withinMs: number): Promise<void> {
    const stopping = [drain.stop(), streamDrain?.stop()];
    const storing = log?.close().then(() => shipper?.close());
    await waitAtMost(Math.max(0, withinMs - reservedMs), Promise.all([...stopping, storing]));
    await reportLeft();
    await Promise.all([endConnections(pool), streamDrain?.close()]);
  }

  /** Reports the clicks that stay in the log for the next start, and those that only this machine has. */
  async function reportLeft(): Promise<void> {
    const notInStream = shipper?.waitingBytes ?? 0;
    const counted = isDraining ? backlogOf(pool, folder) : { bytes: 0, clicks: 0 };
    const left = await Promise.race([counted, sleep(reservedMs / 2, null, { ref: false })]).catch(() => null);
    if (left?.clicks === 0 && notInStream === 0) return;
    const { bytes, clicks } = left ?? { bytes: await bytesIn(folder) };
    onEvent(coreEvent("clicks_left", { bytes, clicks, not_in_stream: notInStream }));
  }

  const append = (click: RawClick, done: () => void) => {
    if (log === null)
      throw new Error("This core drains the click log only: it was created with writes: false");
    log.append(click, done);
  };
  return {
    append,
    record: (click) =>
      new Promise((resolve) => append({ ...defaults, time: clock().getTime(), ...click }, resolve)),
    drain: () => drain.once(),
    startDrain() {
      isDraining = true;
      void holdConnections(pool, drainPool.size);
      streamDrain?.start();
      void Promise.resolve(streamDrain?.inUse).then(() => drain.start());
    },
    rebuild: rebuildOf(databaseUrl),
    stats: () => log?.stats() ?? null,
    stream: () => shipper ?? null,
    canKeep() {
      const stats = log?.stats();
      return stats !== undefined && stats.segment !== null && !stats.degraded;
    },
    backlog: createBacklog(pool, folder),
    waitingBytes: () => waitingBytes(pool, folder),
    close: (withinMs = closeMs) => (closing ??= close(withinMs)),
  };
}

/** Bytes of a folder's segments, counted or not. */
const bytesIn = async (folder: string): Promise<number> =>
  (await listSegments(folder).catch(() => [])).reduce((sum, { bytes }) => sum + bytes, 0);

/** The log's statistics as metrics. */
function readLog(log: ClickLog, meter: Meter): void {
  meter.read("terse_clicks_logged_total", () => log.stats().appended - log.stats().fallbacks);
  meter.read("terse_clicks_lost_total", () => log.stats().lost);
  meter.read("terse_click_memory_clicks", () => log.stats().queued);
}

function readShipper(shipper: Shipper, meter: Meter): void {
  meter.read("terse_click_stream_open", () => Number(!shipper.isUnavailable));
  meter.read("terse_click_stream_waiting_bytes", () => shipper.waitingBytes);
}

const rebuildOf =
  (databaseUrl: string): Clicks["rebuild"] =>
  (options) =>
    withDedicatedPool(databaseUrl, (pool) => rebuild(pool, options));

function withoutLog(deps: ClickDeps, writer: string): Clicks {
  const { databaseUrl, pool, onEvent, clock } = deps;
  const count = createBatchWriter(storeOf(deps, pool), writer);
  const record: Clicks["record"] = async (click) => {
    await count({ ...defaults, time: clock().getTime(), ...click });
  };
  return {
    record,
    append(click, done) {
      record(click)
        .catch((err: unknown) => onEvent(coreEvent("click_lost", { err })))
        .finally(done);
    },
    drain: async () => 0,
    startDrain: () => {},
    rebuild: rebuildOf(databaseUrl),
    stats: () => null,
    stream: () => null,
    canKeep: () => true,
    backlog: async () => null,
    waitingBytes: async () => null,
    close: async () => {},
  };
}
