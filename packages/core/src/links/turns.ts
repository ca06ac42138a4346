import { issue } from "../kernel/issues.ts";
import { FairQueue } from "../kernel/async/fair-queue.ts";
import { AppError } from "../kernel/errors.ts";

/** For work that a process does one at a time, because each piece takes a core and much memory. */
export const busy = (message: string, work: string) =>
  new AppError("SERVICE_UNAVAILABLE", issue("", "busy", message, { work, seconds: 10 }), { retryAfter: 10 });

/**
 * Returns a function that does one piece of work at a time; accounts take turns. It throws 503 if `maxWaiting` are
 * waiting already; `many` names them in the message.
 */
export function accountTurns(maxWaiting: number, many: string) {
  const refusal = () => busy(`Too many ${many}; try again shortly`, many);
  const queue = new FairQueue({ atOnce: 1, maxWaiting, refusal });
  return <Result>(accountId: string, work: () => Promise<Result>): Promise<Result> =>
    queue.run([{ key: accountId, weight: 1 }], work);
}
