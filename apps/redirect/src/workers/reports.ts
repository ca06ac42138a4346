import { type Checks, combineMetrics, definitionOfMetric, type Measured } from "@terse/core/redirect";
import type { Source } from "@terse/server";

/** How often workers and the main process tell each other how they are, in milliseconds. */
export const reportMs = 500;
/** A process that has told nothing for this long does not answer. */
const silentMs = 2000;

/** A worker's message about itself. */
export interface WorkerReport {
  report: { checks: Checks; metrics: Measured[] };
}

/** The main process's message about itself, for the answers of its workers. */
export interface MainReport {
  main: { checks: Checks; isDraining: boolean };
}

export const isWorkerReport = (message: unknown): message is WorkerReport =>
  typeof message === "object" && message !== null && "report" in message;

export const isMainReport = (message: unknown): message is MainReport =>
  typeof message === "object" && message !== null && "main" in message;

/** The main process's view of its workers. */
export interface WorkerReports {
  /** Records a worker's report. */
  note(pid: number, report: WorkerReport["report"]): void;
  /** Keeps the counts of ended workers, so that no total becomes smaller. */
  forget(pid: number): void;
  readonly source: Source;
}

export function createWorkerReports(expected: number): WorkerReports {
  const latest = new Map<number, { at: number; report: WorkerReport["report"] }>();
  let ended: Measured[] = [];

  const answering = () => {
    const now = performance.now();
    return [...latest.values()].filter(({ at }) => now - at < silentMs);
  };

  return {
    note: (pid, report) => void latest.set(pid, { at: performance.now(), report }),
    forget(pid) {
      const last = latest.get(pid);
      latest.delete(pid);
      if (!last) return;
      const totals = last.report.metrics.filter(({ name }) => definitionOfMetric(name).type !== "gauge");
      ended = combineMetrics([...ended, ...totals]);
    },
    source: {
      checks() {
        const current = answering();
        const missing = expected - current.length;
        const all: Record<string, Checks[string]> = {
          redirect_workers:
            missing > 0
              ? { ok: false, detail: `${missing} of ${expected} redirect processes do not answer` }
              : { ok: true, detail: "all redirect processes answer" },
        };
        for (const { report } of current)
          for (const [name, check] of Object.entries(report.checks))
            if (all[name]?.ok !== false) all[name] = check;
        return all;
      },
      metrics: () =>
        combineMetrics([...ended, ...[...latest.values()].flatMap(({ report }) => report.metrics)]),
    },
  };
}
