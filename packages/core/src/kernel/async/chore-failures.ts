import { type CoreEvent, coreEvent } from "../events.ts";
import type { Meter } from "../meter.ts";
import { FailureReports } from "./background-loop.ts";

export interface ChoreDeps {
  onEvent: (event: CoreEvent) => void;
  meter: Pick<Meter, "counter">;
}

/** Counts the failures of recurring work, and reports some of them. */
export class ChoreFailures extends FailureReports {
  readonly #count;

  constructor({ onEvent, meter }: ChoreDeps, chore: string) {
    super({
      onFailure: (err) => onEvent(coreEvent("chore_failing", { chore, err })),
      onRecovery: () => onEvent(coreEvent("chore_restored", { chore })),
    });
    this.#count = meter.counter("terse_chore_failures_total", { chore });
  }

  override async report(error: unknown): Promise<void> {
    this.#count.value++;
    await super.report(error);
  }
}
