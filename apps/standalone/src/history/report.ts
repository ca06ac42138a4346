import type { HistoricLinkResult } from "@terse/core";
import type { SourceLink, VisitLog } from "./source.ts";

/** What became of an import. `found` of the visits is the sum of the others. */
export interface ImportReport {
  source: string;
  links: { found: number; created: number; exists: number; refused: number };
  visits: {
    found: number;
    /** Imported now as clicks of people, and of bots */
    clicks: number;
    bots: number;
    /** Imported by an earlier run */
    before: number;
    /** By reason */
    lost: Record<string, number>;
  };
  /** The sum of the links' totals that have no clicks behind them */
  imported_clicks: number;
  seconds: number;
}

/** Problems that are printed; the result file has all refused links. */
const maxShown = 20;

/** Counts what becomes of links and visits, and keeps the first problems for display. */
export class Report implements VisitLog {
  readonly #started = performance.now();
  readonly #links = { found: 0, created: 0, exists: 0, refused: 0 };
  readonly #visits = { found: 0, clicks: 0, bots: 0, before: 0 };
  readonly #lost = new Map<string, number>();
  readonly #problems: string[] = [];
  #problemCount = 0;
  #importedClicks = 0;

  link(link: SourceLink, result: HistoricLinkResult): void {
    this.#links.found += 1;
    this.#links[result.status === "possible" ? "created" : result.status] += 1;
    if (result.status !== "refused") {
      this.#importedClicks += link.imported_clicks ?? 0;
      return;
    }
    this.problem(link.name, result.reason);
    this.found(link.visits);
    this.lost("of links that were refused", link.visits);
  }

  counted({ clicks, bots }: { clicks: number; bots: number }): void {
    this.#visits.clicks += clicks;
    this.#visits.bots += bots;
  }

  found(visits: number): void {
    this.#visits.found += visits;
  }

  before(visits: number): void {
    this.#visits.before += visits;
  }

  lost(reason: string, visits: number): void {
    if (visits > 0) this.#lost.set(reason, (this.#lost.get(reason) ?? 0) + visits);
  }

  problem(name: string, reason: string): void {
    this.#problemCount += 1;
    if (this.#problems.length < maxShown) this.#problems.push(`${name}: ${reason}`);
  }

  /** Text with one line for each of the first problems; empty if there are none. */
  problems(resultFile: string | null): string {
    const more = this.#problemCount - this.#problems.length;
    const lines = [...this.#problems];
    if (more > 0)
      lines.push(`and ${more} more${resultFile ? `: see ${resultFile}` : ", which --result lists"}`);
    return lines.map((line) => `${line}\n`).join("");
  }

  totals(source: string): ImportReport {
    return {
      source,
      links: this.#links,
      visits: { ...this.#visits, lost: Object.fromEntries(this.#lost) },
      imported_clicks: this.#importedClicks,
      seconds: Number(((performance.now() - this.#started) / 1000).toFixed(3)),
    };
  }
}
