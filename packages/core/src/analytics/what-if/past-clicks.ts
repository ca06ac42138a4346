import type { PoolClient } from "pg";
import { clientDimensions } from "../../clicks/dimensions.ts";
import { firstIdAt, timeIn, timeOfId } from "../../clicks/click-id.ts";
import type { Key } from "../../clicks/blocks/count.ts";
import { otherReferrers } from "../../clicks/derive/referrer.ts";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import { AppError } from "../../kernel/errors.ts";
import { drawsOf } from "../../redirects/rules/ab-test.ts";
import { countBlocks, keyColumn, maxSums, placeAmong } from "../questions/blocks.ts";
import type { Selection } from "../questions/conditions.ts";
import { idsOf } from "../sql.ts";
import type { KnownTest } from "./known-test.ts";
import { type Fact, facts, type PastClick } from "./past-click.ts";
import type { Times } from "./times.ts";

/** Each is decided twice, which takes some microseconds. */
const maxGroups = 50_000;
const refusal =
  "period: the clicks of this time are of too many kinds; choose a shorter one, or rules with fewer conditions";

type Row = { [Name in Fact]: string | null } & { id: string; clicks: string };

/**
 * Reads the clicks of people in a window, in one statement, grouped by the facts and times that matter. 400 if there are too
 * many groups.
 */
export async function readPastClicks(
  database: Pick<PoolClient, "query">,
  selection: Selection,
  window: { from: number; to: number },
  needed: ReadonlySet<Fact>,
  { bounds, slotMinutes }: Times,
  known: KnownTest | null,
): Promise<PastClick[]> {
  const { condition, values } = selection;
  const marks = [...bounds, ...(known ? [known.since] : [])].toSorted((one, other) => one - other);
  const at = values.length;
  const inner = [
    ...(clientDimensions.some((name) => needed.has(name)) ? ["client_id"] : []),
    ...(needed.has("referrer") ? ["referrer_id"] : []),
    ...(needed.has("variant") ? ["variant"] : []),
    ...(marks.length > 0 ? [`width_bucket(id, $${at + 3}::bigint[]) as place`] : []),
    ...(slotMinutes === null ? [] : [`${timeIn("id")} / ${slotMinutes * 60_000} as slot`]),
  ];
  const names = inner.map((column) => column.split(" ").at(-1) as string);
  const outer = [...needed, ...names.filter((name) => name === "place" || name === "slot")];
  const by = (columns: readonly string[]) => (columns.length === 0 ? "()" : columns.join());
  const blocks = await inBlocks(
    database,
    selection,
    window,
    names,
    marks,
    slotMinutes,
    values.length + (marks.length > 0 ? 4 : 3),
  );
  const { rows } = await database.query<Row>(
    `select min(t.id) as id, sum(clicks) as clicks, ${facts.map((name) => (needed.has(name) ? name : `null as ${name}`)).join()}
     from (
       select min(id) as id, count(*) as clicks ${inner.map((column) => `, ${column}`).join("")}
       from clicks where ${condition} and not is_bot and id >= $${at + 1}::bigint and id < $${at + 2}::bigint
       group by ${by(names)}
       union all select id, clicks ${names.map((name) => `, ${name}`).join("")} from ${blocks.table}
     ) t
     ${names.includes("client_id") ? "left join click_clients c on c.id = client_id" : ""}
     ${names.includes("referrer_id") ? "left join click_referrers r on r.id = referrer_id" : ""}
     group by ${by(outer)} having sum(clicks) > 0 limit ${maxGroups + 1}`,
    [
      ...values,
      ...idsOf([window.from, window.to]),
      ...(marks.length > 0 ? [marks.map((mark) => idsOf([mark, mark])[0])] : []),
      ...blocks.values,
    ],
  );
  if (rows.length > maxGroups) throw new AppError("BAD_REQUEST", refusal);
  return rows.map((row) => toPastClick(row, needed, known));
}

/** The same groups of clicks in blocks, as a table; its first parameter is `$first`. */
async function inBlocks(
  database: Pick<PoolClient, "query">,
  selection: Selection,
  window: { from: number; to: number },
  names: readonly string[],
  marks: readonly number[],
  slotMinutes: number | null,
  first: number,
): Promise<{ table: string; values: (string | Buffer)[] }> {
  const slotMs = (slotMinutes ?? 0) * 60_000;
  const keys: Record<string, Key> = {
    client_id: "client",
    referrer_id: "referrer",
    variant: "variant",
    place: placeAmong(marks),
    slot: Object.assign(
      (time: number) => {
        const value = Math.floor(time / slotMs);
        return { value, until: (value + 1) * slotMs };
      },
      { every: slotMs },
    ),
  };
  const grouping = names.map((name) => keys[name] as Key);
  const [sums = []] = await countBlocks(database, selection, window, [grouping], {
    isBot: false,
    withTimes: true,
    limit: { most: maxSums, refusal },
  });
  return sqlColumns(first, {
    id: ["bigint", sqlArray(sums.map(({ time }) => firstIdAt(time)))],
    clicks: ["bigint", sqlArray(sums.map(({ clicks }) => clicks))],
    ...Object.fromEntries(names.map((name, at) => [name, keyColumn(sums, at)])),
  });
}

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
    // Null although it was asked for: the value was lost in a failover.
    referrer: row.referrer ?? (needed.has("referrer") ? otherReferrers : ""),
    time,
    draws: isKnown ? (drawsOf(known.test, Number(variant)) ?? null) : null,
    clicks: Number(clicks),
  };
}
