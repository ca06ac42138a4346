import { createStore, del, get, set, update } from "idb-keyval";
import type { SentLink as Sent } from "@terse/importers";

/** An import that has begun. The browser keeps it, so that it goes on after a reload. */
export interface Job {
  /** Part of the Idempotency-Key of each request */
  id: string;
  name: string;
  /** Links that are sent: those of all rows that could be read */
  total: number;
  /** Links that have a result */
  done: number;
  /** Links that were sent; what became of those after `done` is not known */
  sent: number;
  isCancelled: boolean;
  isPaused: boolean;
}

/** A link with its row in the file, from 1. */
export interface ImportRow {
  row: number;
  link: Sent;
}

/** A row that is refused. */
export interface Refusal {
  row: number;
  reason: string;
}

/** What became of one link. */
export type Result = readonly [kind: "created" | "exists" | "refused", text: string];

const store = createStore("terse-import", "jobs");

/** The import of one account in this browser. */
export function storageOf(accountId: string) {
  const key = (part: string) => `${accountId} ${part}`;
  return {
    job: () => get<Job>(key("job"), store),
    rows: async () => (await get<ImportRow[]>(key("rows"), store)) ?? [],
    /** Rows that could not be read */
    refused: async () => (await get<Refusal[]>(key("refused"), store)) ?? [],
    results: async () => (await get<Result[]>(key("results"), store)) ?? [],
    async begin(job: Job, rows: ImportRow[], refused: Refusal[]) {
      await set(key("rows"), rows, store);
      await set(key("refused"), refused, store);
      await set(key("results"), [], store);
      await set(key("job"), job, store);
    },
    /** Results first: a position without its results would lose them. */
    async advance(done: number, results: Result[]): Promise<Job> {
      await set(key("results"), results, store);
      return this.change({ done, sent: done });
    },
    /** What the person decided, beside what `advance` stores. */
    async change(changes: Partial<Job>): Promise<Job> {
      let changed: Job | undefined;
      await update<Job>(key("job"), (job) => (changed = { ...(job as Job), ...changes }), store);
      return changed as unknown as Job;
    },
    async clear() {
      for (const part of ["job", "rows", "refused", "results"]) await del(key(part), store);
    },
  };
}
export type JobStorage = ReturnType<typeof storageOf>;
