import { issue } from "../../kernel/issues.ts";
import { type Draws, drawsOf, type AbTest } from "../../redirects/rules/ab-test.ts";
import { clientDimensions } from "../../clicks/dimensions.ts";
import { firstIdAt, timeIn, timeOfId } from "../../clicks/click-id.ts";
import type { Key, TimeStep } from "../../clicks/blocks/count.ts";
import { otherReferrers } from "../../clicks/derive/referrer.ts";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import { AppError } from "../../kernel/errors.ts";
import { countBlocks, keyColumn, maxSums, stepAmong } from "../questions/count.ts";
import { inRange, type Selection } from "../questions/conditions.ts";
import { idsOf } from "../periods/plan.ts";
import type { TimeRange } from "../question.ts";
import type { AnalyticsDeps } from "../call.ts";
import { completeSince } from "../../history/trim.ts";
import type { LinkRule } from "../../redirects/rules/conditional.ts";

/** The stored facts about a click besides its time. */
export const facts = ["country", "device", "os", "browser", "referrer", "variant"] as const;
export type Fact = (typeof facts)[number];

/** Clicks of a link that a draft cannot tell apart; texts as they are stored, "" where nothing is known or was not asked for. */
export interface PastClick {
  country: string;
  device: string;
  os: string;
  browser: string;
  referrer: string;
  /** Of one of them, in milliseconds since the epoch */
  time: number;
  /** By which an A/B test chose the visitor's variant; null if that is not known */
  draws: Draws | null;
  /** How many */
  clicks: number;
}

/** Each is decided twice, which takes some microseconds. */
const maxGroups = 50_000;
const refusal = issue(
  "period",
  "too_much_data",
  "these clicks differ in too many ways; choose a shorter period, or rules with fewer conditions",
);

type Row = { [Name in Fact]: string | null } & { id: string; clicks: string };

/**
 * Reads the clicks of people in a window, in one statement, grouped by the facts and times that matter. 400 if there are too
 * many groups.
 */
export async function readPastClicks(
  selection: Selection,
  window: TimeRange,
  needed: ReadonlySet<Fact>,
  { bounds, slotMinutes }: Times,
  known: KnownTest | null,
): Promise<PastClick[]> {
  const { condition, values } = inRange(selection, window.from, window.to);
  const marks = [...bounds, ...(known ? [known.since] : [])].toSorted((a, b) => a - b);
  const keys: { name: string; sql?: string; key: Key }[] = [];
  if (clientDimensions.some((name) => needed.has(name))) keys.push({ name: "client_id", key: "client" });
  if (needed.has("referrer")) keys.push({ name: "referrer_id", key: "referrer" });
  if (needed.has("variant")) keys.push({ name: "variant", key: "variant" });
  if (marks.length > 0) {
    const ids = `$${values.push(idsOf(marks))}::bigint[]`;
    keys.push({ name: "step", sql: `width_bucket(id, ${ids})`, key: stepAmong(marks) });
  }
  if (slotMinutes !== null) {
    const slotMs = slotMinutes * 60_000;
    keys.push({ name: "slot", sql: `${timeIn("id")} / ${slotMs}`, key: slotsOf(slotMs) });
  }
  const names = keys.map(({ name }) => name);
  const outer = [...needed, ...names.filter((name) => name === "step" || name === "slot")];
  const by = (columns: readonly string[]) => (columns.length === 0 ? "()" : columns.join());
  const [sums = []] = await countBlocks(selection, window, [keys.map(({ key }) => key)], {
    isBot: false,
    withTimes: true,
    limit: { most: maxSums, refusal },
  });
  const blocks = sqlColumns(values.length + 1, {
    id: ["bigint", sqlArray(sums.map(({ time }) => firstIdAt(time)))],
    clicks: ["bigint", sqlArray(sums.map(({ clicks }) => clicks))],
    ...Object.fromEntries(names.map((name, at) => [name, keyColumn(sums, at)])),
  });
  const { rows } = await selection.database.query<Row>(
    `select min(t.id) as id, sum(clicks) as clicks, ${facts.map((name) => (needed.has(name) ? name : `null as ${name}`)).join()}
     from (
       select min(id) as id, count(*) as clicks ${keys.map(({ name, sql = name }) => `, ${sql} as ${name}`).join("")}
       from clicks where ${condition} and not is_bot group by ${by(names)}
       union all select id, clicks ${names.map((name) => `, ${name}`).join("")} from ${blocks.table}
     ) t
     ${names.includes("client_id") ? "left join click_clients c on c.id = client_id" : ""}
     ${names.includes("referrer_id") ? "left join click_referrers r on r.id = referrer_id" : ""}
     group by ${by(outer)} having sum(clicks) > 0 limit ${maxGroups + 1}`,
    [...values, ...blocks.values],
  );
  if (rows.length > maxGroups) throw new AppError("BAD_REQUEST", refusal);
  return rows.map((row) => toPastClick(row, needed, known));
}

/** The number of the slot of some milliseconds that a time is in. */
const slotsOf = (every: number): TimeStep =>
  Object.assign(
    (time: number) => {
      const value = Math.floor(time / every);
      return { value, until: (value + 1) * every };
    },
    { every },
  );

function toPastClick(
  { id, clicks, variant, ...row }: Row,
  needed: ReadonlySet<Fact>,
  known: KnownTest | null,
): PastClick {
  const time = timeOfId(id);
  const isKnown = known !== null && variant !== null && time >= known.since;
  return {
    country: row.country ?? "",
    device: row.device ?? "",
    os: row.os ?? "",
    browser: row.browser ?? "",
    // Null although requested: the value was lost in a failover.
    referrer: row.referrer ?? (needed.has("referrer") ? otherReferrers : ""),
    time,
    draws: isKnown ? (drawsOf(known.test, Number(variant)) ?? null) : null,
    clicks: Number(clicks),
  };
}

/** The A/B test of a link, and the time from which it is known that it was the same. */
interface KnownTest {
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

/** How finely clicks must be distinguished by time. */
interface Times {
  /** Milliseconds since the epoch: clicks before and after one of them may differ */
  bounds: number[];
  /** Length of a slot in minutes, in which clicks do not differ otherwise; null if they never do */
  slotMinutes: number | null;
}

/** Every zone's clock differs from UTC by a multiple of this, and has in all the years since short links exist. */
const longestSlot = 15;

/** What the conditions on the time need. */
export function timesFor(rules: readonly LinkRule[]): Times {
  const bounds = rules.flatMap(({ when: { after, before } }) =>
    [after, before].flatMap((text) => (text === undefined ? [] : [Date.parse(text)])),
  );
  const minutes = rules.flatMap(({ when: { weekly } }) =>
    weekly ? [weekly.from, weekly.to].map((clock) => Number(clock.slice(3))) : [],
  );
  const slotMinutes = minutes.length === 0 ? null : minutes.reduce(gcd, longestSlot);
  return { bounds, slotMinutes };
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
