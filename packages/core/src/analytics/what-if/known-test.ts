import type { AnalyticsDeps } from "../call.ts";
import { completeSince } from "../../history/trim.ts";
import type { AbTest } from "../../redirects/redirects.types.ts";

/** The A/B test of a link, and the time from which it is known that it was the same. */
export interface KnownTest {
  test: AbTest;
  since: number;
}

/** Every node sees a change in this time. */
const seenAfterMs = 1000;

/** The variants that were counted before the test last changed are those of another test. */
export async function knownTest(
  deps: Pick<AnalyticsDeps, "pool" | "clock" | "historyDays">,
  accountId: string,
  link: { id: string; created_at: Date },
  test: AbTest,
): Promise<KnownTest> {
  const { rows } = await deps.pool.query<{ at: string | null }>({
    name: "last-change-of-test",
    text: `select max(c.at) as at from link_changes l join changes c on c.id = l.change_id
           where l.link_id = $1 and coalesce(l.after, l.before) ? 'ab_test'`,
    values: [link.id],
  });
  const changed = rows[0]?.at == null ? 0 : Date.parse(rows[0].at) + seenAfterMs;
  const complete = (await completeSince(deps, accountId)).getTime();
  return { test, since: Math.max(changed, complete, link.created_at.getTime()) };
}
