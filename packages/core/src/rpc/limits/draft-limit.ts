import type { Redis } from "ioredis";
import type { Reply } from "../../kernel/context.ts";
import { limiterPerMinute, takeFrom } from "./counting.ts";

/** What can be asked about a link before it is saved. */
export type DraftQuestion = "availability" | "explanation" | "what-if";

export interface DraftLimit {
  /** Counts one question of an account. Throws 429 beyond 120 of its kind a minute. */
  take(question: DraftQuestion, accountId: string, reply: Reply): Promise<void>;
}

/** Enough for a form that asks whenever its user stops typing; the same on every plan. */
const perMinute = 120;

export function createDraftLimit(redis: Redis | null): DraftLimit {
  const limiters = {
    availability: limiterPerMinute(redis, "availability", perMinute),
    explanation: limiterPerMinute(redis, "explanation", perMinute),
    "what-if": limiterPerMinute(redis, "what-if", perMinute),
  };
  return {
    take: (question, accountId, reply) =>
      takeFrom([[limiters[question], accountId]], reply, { policy: `link-${question}`, what: "questions" }),
  };
}
