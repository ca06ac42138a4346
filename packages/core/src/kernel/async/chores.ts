import { type CoreEvent, coreEvent } from "../events.ts";
import type { Meter } from "../meter.types.ts";
import { type BackgroundLoop, backgroundLoop, FailureReports } from "./background-loop.ts";

/** Recurring work. */
export interface Chore {
  /** In the log and in metrics */
  name: string;
  /** Milliseconds between two runs, about */
  pauseMs: number;
  work(): Promise<unknown>;
}

export interface ChoreDeps {
  onEvent: (event: CoreEvent) => void;
  meter: Pick<Meter, "counter">;
}

/** Counts the failures of a chore, and reports some of them. */
export class ChoreFailures {
  readonly #reports: FailureReports;
  readonly #count;

  constructor({ onEvent, meter }: ChoreDeps, chore: string) {
    this.#count = meter.counter("terse_chore_failures_total", { chore });
    this.#reports = new FailureReports({
      onFailure: (err) => onEvent(coreEvent("upkeep_failing", { chore, err })),
      onRecovery: () => onEvent(coreEvent("upkeep_restored", { chore })),
    });
  }

  async add(error: unknown): Promise<void> {
    this.#count.value++;
    await this.#reports.report(error);
  }

  /** The chore was done. */
  end(): void {
    this.#reports.end();
  }
}

/** Does each chore in a loop of its own, so that one that fails or takes long keeps no other waiting. */
export function choreLoops(
  deps: ChoreDeps,
  chores: readonly Chore[],
): Pick<BackgroundLoop, "start" | "stop"> {
  const loops = chores.map(({ name, pauseMs, work }) => {
    const failures = new ChoreFailures(deps, name);
    // Random, so that nodes do not do the same at the same time
    const pause = () => pauseMs * (0.5 + Math.random());
    return backgroundLoop({
      async runOnce() {
        try {
          await work();
          failures.end();
        } catch (error) {
          await failures.add(error);
        }
        return pause();
      },
      initialDelayMs: pause(),
      retryMs: pauseMs,
      keepsProcessAlive: false,
      onFailure: () => {},
    });
  });
  return {
    start: () => loops.forEach((loop) => loop.start()),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
}
