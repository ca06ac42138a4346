import type { ResultRow } from "./result-file.ts";

export interface Totals {
  total: number;
  created: number;
  exists: number;
  rejected: number;
  seconds: number;
  links_per_second: number;
}

/** Rejected lines that are shown; the result file has them all. */
const shown = 20;

/** Counts what became of the lines, and keeps the first rejected ones for people to see. */
export class Tally {
  readonly #began = performance.now();
  readonly #counts = { created: 0, exists: 0, rejected: 0 };
  readonly #rejected: ResultRow[] = [];

  get total(): number {
    return this.#counts.created + this.#counts.exists + this.#counts.rejected;
  }

  add(rows: readonly ResultRow[]): void {
    for (const row of rows) {
      this.#counts[row.status]++;
      if (row.status === "rejected" && this.#rejected.length < shown) this.#rejected.push(row);
    }
  }

  /** The counts, and links a second out of those made and those found to be there. */
  totals(): Totals {
    const seconds = (performance.now() - this.#began) / 1000;
    const links = this.#counts.created + this.#counts.exists;
    return {
      total: this.total,
      ...this.#counts,
      seconds: Number(seconds.toFixed(3)),
      links_per_second: Math.round(links / seconds),
    };
  }

  /** A line for each rejected one, as far as they are shown; empty where none was. */
  complaints(resultFile: string | null): string {
    const more = this.#counts.rejected - this.#rejected.length;
    const lines = this.#rejected.map(({ line, reason }) => `line ${line}: ${reason}`);
    if (more > 0) lines.push(`and ${more} more rejected lines${resultFile ? `: see ${resultFile}` : ""}`);
    return lines.map((line) => `${line}\n`).join("");
  }
}
