import type { Pool, PoolClient } from "pg";
import { inSnapshot } from "../db/snapshot.ts";
import type { Deps } from "../deps.ts";
import { limiterPerPool } from "../concurrency/concurrency-limiter.ts";
import { accountValues } from "./account-values.ts";
import type { Report } from "./analytics.schema.ts";
import { planValues } from "./window-plan.ts";
import { readHistory } from "./history.ts";
import { linkValues } from "./link-values.ts";
import { breakdownsOf } from "./breakdowns.ts";
import { type Period, type Window, windowBefore, windowOf } from "./periods.ts";
import { type Counts, type AnalyticsScope, readSeries, sumOf } from "./series.ts";
import { Coalescer } from "../concurrency/coalesce.ts";
import { topLinks } from "./top-links.ts";
import type { Values } from "./values.ts";

/** What is asked for, of an account or a link. */
export interface Question {
  period: Period;
  compare: boolean;
  tz: string;
}

/** What analytics say, and of an A/B test how often each variant was chosen. All figures are of one moment. */
export interface Findings {
  report: Report;
  variants: ReadonlyMap<string, number>;
}

/** On hard data a report takes seconds; other requests get the connections that reports must leave. */
const turnsIn = limiterPerPool("reports", 1 / 2);
const patienceMs = 5000;

const findingsOf = new WeakMap<Pool, Coalescer<Findings>>();

/** One who asks over and over, or a team that looks at once, costs the database one answer at a time. */
export function report(deps: Deps, owner: AnalyticsScope, question: Question): Promise<Findings> {
  const { period, compare, tz } = question;
  const shared = findingsOf.get(deps.pool) ?? new Coalescer<Findings>();
  findingsOf.set(deps.pool, shared);
  return shared.run(`${owner.kind} ${owner.id} ${period} ${compare} ${tz}`, () =>
    find(deps, owner, question),
  );
}

const find = (deps: Deps, owner: AnalyticsScope, question: Question): Promise<Findings> =>
  turnsIn(deps.pool).run(owner.accountId, patienceMs, () =>
    inSnapshot(deps.pool, (database) => read(database, deps, owner, question)),
  );

async function read(
  database: PoolClient,
  deps: Deps,
  owner: AnalyticsScope,
  question: Question,
): Promise<Findings> {
  const { period, compare, tz } = question;
  const { first, rawIsKept } = await readHistory(database, owner);
  const window = windowOf(period, tz, deps.clock().getTime(), first);
  const before = compare ? windowBefore(window, tz) : null;
  const bounds = [...(before ? [before.from] : []), ...window.starts, window.to];
  const series = await readSeries(database, owner, bounds);
  const previous = before && { ...iso(before), ...peopleOf(series.shift() as Counts) };
  const total = sumOf(series);
  const values = await readValues(database, owner, window, {
    clicks: total.clicks,
    rawIsKept: rawIsKept(window.from),
  });
  const links =
    owner.kind === "account" ? (values.get("link") ?? []) : [{ value: owner.id, clicks: total.clicks }];
  return {
    report: {
      ...frame(question, window),
      locked: false,
      ...total,
      previous,
      change: previous && {
        clicks: ratio(total.clicks, previous.clicks),
        visitors: ratio(total.visitors, previous.visitors),
      },
      timeseries: series.map((counts, row) => ({
        start: new Date(window.starts[row] as number).toISOString(),
        ...peopleOf(counts),
      })),
      ...breakdownsOf(values, total.clicks),
      top_links: await topLinks(
        database,
        deps,
        links.filter(({ clicks }) => clicks > 0),
      ),
    },
    variants: new Map(values.get("variant")?.map(({ value, clicks }) => [value, clicks])),
  };
}

/** What a report says of its question. */
export const frame = ({ period, tz }: Question, window: Window) => ({
  period,
  granularity: window.granularity,
  timezone: tz,
  ...iso(window),
});

const iso = ({ from, to }: Window) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});
const peopleOf = ({ clicks, visitors }: Counts) => ({ clicks, visitors });
const ratio = (now: number, before: number) => (before === 0 ? null : (now - before) / before);

function readValues(
  database: PoolClient,
  owner: AnalyticsScope,
  window: Window,
  { clicks, rawIsKept }: { clicks: number; rawIsKept: boolean },
): Promise<Values> {
  const isAccount = owner.kind === "account";
  const cover = planValues(window, { months: isAccount, rawIsKept });
  return isAccount ? accountValues(database, owner, cover, clicks) : linkValues(database, owner, cover);
}
