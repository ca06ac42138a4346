import type { ResultRow } from "./result-file.ts";

export interface Totals {
  total: number;
  created: number;
  exists: number;
  rejected: number;
  seconds: number;
  links_per_second: number;
}

/** Rejected lines that are printed; the result file has all of them. */
const maxShown = 20;

/** Counts the outcomes of the lines and keeps the first rejected ones for display. */
export class Tally {
  readonly #started = performance.now();
  readonly #counts = { created: 0, exists: 0, rejected: 0 };
  readonly #rejected: ResultRow[] = [];

  get total(): number {
    return this.#counts.created + this.#counts.exists + this.#counts.rejected;
  }

  add(rows: readonly ResultRow[]): void {
    for (const row of rows) {
      this.#counts[row.status]++;
      if (row.status === "rejected" && this.#rejected.length < maxShown) this.#rejected.push(row);
    }
  }

  /** The counts; `links_per_second` includes created and existing links. */
  totals(): Totals {
    const seconds = (performance.now() - this.#started) / 1000;
    const links = this.#counts.created + this.#counts.exists;
    return {
      total: this.total,
      ...this.#counts,
      seconds: Number(seconds.toFixed(3)),
      links_per_second: Math.round(links / seconds),
    };
  }

  /** Text with one line for each of the first rejected lines; empty if there are none. */
  rejectedLines(resultFile: string | null): string {
    const more = this.#counts.rejected - this.#rejected.length;
    const lines = this.#rejected.map(({ line, reason }) => `line ${line}: ${reason}`);
    if (more > 0) lines.push(`and ${more} more rejected lines${resultFile ? `: see ${resultFile}` : ""}`);
    return lines.map((line) => `${line}\n`).join("");
  }
}
