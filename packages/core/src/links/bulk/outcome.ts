import { issue } from "../../kernel/issues.ts";
import type { CreatedOrRefused } from "./bulk.schema.ts";
import { toFailure } from "../../rpc/failure.ts";

/** The fields in which a stored link may differ from a new one with the same slug, and still be it. */
export type DifferencesAllowed = "none" | "all but the destination";

/** Collects the outcomes of a bulk creation. */
export class Outcome {
  readonly #results: (CreatedOrRefused | undefined)[];
  readonly onError: "continue" | "stop";
  readonly allowed: DifferencesAllowed;
  #retryAfter: number | undefined;

  constructor(count: number, onError: "continue" | "stop", allowed: DifferencesAllowed = "none") {
    this.#results = Array.from({ length: count });
    this.onError = onError;
    this.allowed = allowed;
  }

  /** Sets the result of a link from an error that is about this link alone; throws other errors. */
  readonly refuse = (
    { index }: { index: number },
    error: unknown,
    more: Partial<CreatedOrRefused> = {},
  ): void => {
    const { status, message, issues, retryAfter } = toFailure(error);
    if (status >= 500) throw error;
    this.#results[index] = { index, ...more, status, error: message, issues };
    if (retryAfter !== undefined) this.#retryAfter = Math.max(this.#retryAfter ?? 0, retryAfter);
  };

  succeed(index: number, made: Omit<CreatedOrRefused, "index">): void {
    this.#results[index] = { index, ...made };
  }

  /** The first `taken` links; the others are refused. */
  keepFirst<Link extends { index: number }>(links: readonly Link[], taken: number, refusal: unknown): Link[] {
    for (const link of links.slice(taken)) this.refuse(link, refusal);
    return links.slice(0, taken);
  }

  /** True once nothing may be created because a link was refused. */
  get isStopped(): boolean {
    return this.onError === "stop" && this.#firstRefused !== -1;
  }

  get #firstRefused(): number {
    return this.#results.findIndex((result) => result?.error !== undefined);
  }

  answer() {
    const first = this.#firstRefused;
    const results = Array.from(this.#results, (result, index): CreatedOrRefused => {
      if (result && (result.error !== undefined || !this.isStopped)) return result;
      const problem = issue("", "stopped", `Not created, because links.${first} was refused`, {
        index: first,
      });
      return { index, error: problem.message, issues: [problem] };
    });
    const failed = results.filter(({ error }) => error !== undefined).length;
    return {
      created: results.length - failed,
      failed,
      ...(this.#retryAfter !== undefined && { retry_after: this.#retryAfter }),
      results,
    };
  }
}
