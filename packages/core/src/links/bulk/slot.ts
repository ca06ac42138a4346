import type { LinkDeps } from "../call.ts";
import { limiterPerPool } from "../../kernel/async/concurrency-limiter.ts";

/** Large operations get few of the connections, and one account gets one, so that others are not slower beside them. */
const limiterOf = limiterPerPool("bulk operations", 1 / 6);
const timeoutMs = 10_000;

/** Performs an operation on many links once it is the account's turn; 503 if that takes too long. */
export const withBulkSlot = <T>({ pool }: LinkDeps, accountId: string, work: () => Promise<T>): Promise<T> =>
  limiterOf(pool).run(accountId, timeoutMs, work);
