import { until } from "@terse/testkit";
import type { Pool } from "pg";
import type { Caller } from "../../../src/index.ts";

interface Event {
  id?: string;
  event?: string;
  data?: { id: string; timestamp: string; slug: string; clicks?: number; reason?: string };
}

/** The events of a stream as clients read them, in an array that grows. */
export async function follow(caller: Caller, input: Parameters<Caller["analytics"]["live"]>[0] = {}) {
  const { body } = await caller.analytics.live(input);
  const events: Event[] = [];
  const texts = body[Symbol.asyncIterator]();
  const reading = (async () => {
    for (;;) {
      const { done, value } = await texts.next();
      if (done) return;
      const fields = Object.fromEntries(
        value
          .trim()
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      if (fields["event"]) events.push({ ...fields, data: JSON.parse(fields["data"] ?? "") });
    }
  })();
  await until(() => events.some(({ event }) => event === "ready"));
  return {
    events,
    clicks: () => events.flatMap(({ event, data }) => (event === "click" && data ? [data.timestamp] : [])),
    lastId: () => events.findLast(({ id }) => id !== undefined)?.id,
    ended: reading,
    leave: async () => void (await texts.return?.()),
  };
}

/** A stream begins before the oldest transaction that still runs, which may be that of another test. */
export async function untilOthersEnded(pool: Pool): Promise<void> {
  const { rows } = await pool.query("select pg_snapshot_xmax(pg_current_snapshot())::text as top");
  await until(async () => {
    const { rows: now } = await pool.query(
      "select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as ended",
      [rows[0].top],
    );
    return now[0].ended;
  });
}
