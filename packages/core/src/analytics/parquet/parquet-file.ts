import { Worker } from "node:worker_threads";
import { threadFile } from "../../kernel/async/in-thread.ts";
import type { ClickPosition } from "../exports/clicks-in-order.ts";
import { exportColumns, exportParts } from "../exports/cells.ts";
import type { FileOptions, RowGroup } from "./write.worker.ts";

const file = threadFile("write.worker", import.meta.url);
const columns: FileOptions = {
  columns: exportColumns,
  time: exportParts.click[0],
  flag: exportParts.visitor[0],
};

/** Megabytes of JavaScript objects that the thread may have: a group takes some ten. */
const maxMb = 512;

/** What was written, up to a click; null at the end of the file. */
export interface Written {
  bytes: Uint8Array;
  after: ClickPosition | null;
}

/** A Parquet file that a thread of its own writes, while the next rows are read. */
export class ParquetFile {
  #worker: Worker | undefined;
  #writing: Promise<Written> | null = null;
  #answered: PromiseWithResolvers<Uint8Array> | undefined;

  /** Begins to write rows, or to end the file if they are null. What was written before must be taken first. */
  write(group: RowGroup | null, after: ClickPosition | null): void {
    this.#worker ??= this.#start();
    this.#answered = Promise.withResolvers();
    this.#writing = this.#answered.promise.then((bytes) => ({ bytes, after }));
    // It is taken later.
    this.#writing.catch(() => {});
    const arrays =
      group === null ? [] : [group.times, group.unique, ...group.shared.map(({ places }) => places)];
    this.#worker.postMessage(
      group,
      arrays.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: maxMb };
    const worker = new Worker(file, { workerData: columns, resourceLimits });
    worker.on("message", (bytes: Uint8Array) => this.#answered?.resolve(bytes));
    worker.on("error", (error) => this.#answered?.reject(error));
    worker.on("exit", () => this.#answered?.reject(new Error("The thread of a Parquet file ended")));
    return worker;
  }

  /** What is being written, when it is; null if nothing is. */
  async take(): Promise<Written | null> {
    const written = await this.#writing;
    this.#writing = null;
    return written;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }
}
