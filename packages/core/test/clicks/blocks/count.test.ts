import { expect, it } from "vitest";
import { stepAmong } from "../../../src/analytics/questions/count.ts";
import { Block, type ColumnName, columnNames, packBlock } from "../../../src/clicks/blocks/block.ts";
import { BlockCounter, type Key } from "../../../src/clicks/blocks/count.ts";
import { randomFrom } from "../../analytics/naive.ts";

const random = randomFrom(50);
const upTo = (count: number) => Math.floor(random() * count);
const day = 86_400_000;
const start = Date.parse("2026-03-01");

/** Blocks of three days, and their clicks one by one. */
function clicksOf(count: number, values: number) {
  const clicks: ({ time: number } & Record<ColumnName, number>)[] = [];
  const blocks = [0, 1, 2].map((at) => {
    const times = Int32Array.from({ length: count }, () => upTo(day)).toSorted();
    const columns = Object.fromEntries(
      columnNames.map((name) => [
        name,
        Int32Array.from(
          { length: count },
          () => upTo(name === "unique" ? 2 : values + 1) - Number(name !== "unique"),
        ),
      ]),
    ) as Record<ColumnName, Int32Array>;
    const from = start + at * day;
    for (const [place, time] of times.entries()) {
      const own = columnNames.map((name) => [name, columns[name][place]]);
      clicks.push({ time: from + time, ...Object.fromEntries(own) });
    }
    const { packed } = packBlock({ times, sequences: new Int32Array(count), values: columns });
    const summary = { start: from, first: from + (times[0] ?? 0), last: from + (times.at(-1) ?? 0) };
    return { block: new Block(packed), summary };
  });
  return { blocks, clicks };
}

const bounds = [0, 0.3, 1.1, 1.2, 2.9].map((days) => start + days * day);
const step = stepAmong(bounds);
/** Every third client counts as the one before it, and those from 1000 as themselves. */
const others = new Map(Array.from({ length: 333 }, (_, at) => [3 * at + 2, 3 * at + 1]));
const client = { column: "client", values: others } as const;
const groupings: Key[][] = [
  [],
  ["link"],
  [step, "client", "variant"],
  ["link", "referrer"],
  ["client", step, "referrer", "link"],
  [client],
  ["link", client, "client"],
];

it.each([1, 3, 40, 5000])("clicks with up to %i values are counted as one by one", (values) => {
  const { blocks, clicks } = clicksOf(600, values);
  const ids = new Set([...Array(values).keys()].filter((id) => id % 3 > 0));
  for (const negated of [false, true]) {
    const [from, to] = [start + 0.2 * day, start + 2.5 * day];
    const conditions = [
      { column: "client", ids, negated },
      { column: "campaign", ids: new Set([-1, 0, 2]), negated: !negated },
    ] as const;
    const counter = new BlockCounter({ from, to, conditions, groupings, withTimes: true });
    for (const { block, summary } of blocks) counter.add(block, summary);
    const chosen = clicks.filter(
      ({ time, client: id, campaign }) =>
        time >= from && time < to && ids.has(id) !== negated && [-1, 0, 2].includes(campaign) === negated,
    );
    for (const [at, sums] of counter.sums().entries()) {
      const expected: Record<string, [number, number]> = {};
      for (const click of chosen) {
        const key = (groupings[at] ?? [])
          .map((each) => {
            if (typeof each === "string") return click[each];
            if (typeof each === "function") return each(click.time).value;
            return each.values.get(click[each.column]) ?? click[each.column];
          })
          .join();
        const [all, visitors] = expected[key] ?? [0, 0];
        expected[key] = [all + 1, visitors + click.unique];
      }
      const counted = sums.map((sum) => [sum.values.join(), [sum.clicks, sum.visitors]]);
      expect(Object.fromEntries(counted)).toEqual(expected);
      expect(counted).toHaveLength(Object.keys(expected).length);
      for (const { time } of sums) expect(clicks.some((click) => click.time === time)).toBe(true);
    }
  }
});
