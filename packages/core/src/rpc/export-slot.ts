import type { Pool } from "pg";
import { openSnapshot, type Snapshot } from "../db/connection.ts";
import { limiterPerPool } from "../kernel/async/concurrency-limiter.ts";

/** An export holds its connection for as long as its client reads, so exports get only a part of the connections. */
const exportLimiter = limiterPerPool("exports", 1 / 4);

/** In milliseconds. */
export interface ExportTimeouts {
  /** How long an export waits for a slot */
  slotMs: number;
  /** How long a client may pause before its export ends */
  clientMs: number;
}

/** Yields the chunks of an export from a dedicated connection. 503 if no slot frees in time. */
export async function* withExportSlot(
  pool: Pool,
  accountId: string,
  chunks: (snapshot: Snapshot) => AsyncGenerator<string, void>,
  { slotMs, clientMs }: ExportTimeouts = { slotMs: 10_000, clientMs: 60_000 },
): AsyncGenerator<string, void> {
  const release = await exportLimiter(pool).acquire(accountId, slotMs);
  let snapshot: Snapshot | undefined;
  let ending: Promise<void> | undefined;
  const end = async () => {
    await snapshot?.close();
    release();
  };
  try {
    snapshot = await openSnapshot(pool);
    for await (const chunk of chunks(snapshot)) {
      const timeout = setTimeout(() => {
        ending ??= end();
      }, clientMs);
      try {
        yield chunk;
      } finally {
        clearTimeout(timeout);
      }
      if (ending) throw new Error("The client of an export stopped reading");
    }
  } finally {
    await (ending ??= end());
  }
}
