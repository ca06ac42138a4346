import * as z from "zod";
import { toFailure } from "../../rpc/failure.ts";

/** What became of one link of a bulk creation. */
export const createdOrRefused = z.object({
  index: z.int().min(0).describe("Place in `links`, from 0"),
  id: z
    .string()
    .optional()
    .describe("The new link; if `status` is 409, the account's own link that is the same already"),
  slug: z.string().optional().describe("Path part of the short URL"),
  short_url: z
    .string()
    .optional()
    .meta({ description: "Full short URL", examples: ["https://go.example.com/launch"] }),
  status: z
    .int()
    .optional()
    .meta({
      description: "The HTTP status that the creation of this link alone would have had, if it is an error",
      examples: [400],
    }),
  error: z
    .string()
    .optional()
    .meta({
      description: "Why the link was not created",
      examples: ["slug: is reserved; choose another one"],
    }),
});
export type CreatedOrRefused = z.infer<typeof createdOrRefused>;

/** Collects what becomes of the links of a bulk creation. */
export class Outcome {
  readonly #results: (CreatedOrRefused | undefined)[];
  readonly onError: "continue" | "stop";
  #retryAfter: number | undefined;

  constructor(count: number, onError: "continue" | "stop") {
    this.#results = Array.from({ length: count });
    this.onError = onError;
  }

  /** Sets the result of a link from an error that is about this link alone; throws other errors. */
  readonly refuse = (index: number, error: unknown, more: Partial<CreatedOrRefused> = {}): void => {
    const { status, message, retryAfter } = toFailure(error);
    if (status >= 500) throw error;
    this.#results[index] = { index, ...more, status, error: message };
    if (retryAfter !== undefined) this.#retryAfter = Math.max(this.#retryAfter ?? 0, retryAfter);
  };

  succeed(index: number, made: Omit<CreatedOrRefused, "index">): void {
    this.#results[index] = { index, ...made };
  }

  /** Calls `check` and returns whether it threw nothing; what it throws refuses the link. */
  passes(index: number, check: () => void): boolean {
    try {
      check();
      return true;
    } catch (error) {
      this.refuse(index, error);
      return false;
    }
  }

  /** True once nothing is to be created, because a link was refused. */
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
      return { index, error: `Not created, because links.${first} was refused` };
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
