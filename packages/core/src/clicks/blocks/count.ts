import { firstWhere } from "../../kernel/numbers.ts";
import type { Block, Column, ColumnName } from "./block.ts";
import { PairNumbers } from "../packed/pair-numbers.ts";
import type { BlockSummary } from "./read-blocks.ts";

/** Counts clicks of blocks by their columns and by their time. */

/** A click meets it if its value is one of the ids; negated, if it is none of them. `none` may be one. */
export interface BlockCondition {
  column: ColumnName;
  ids: ReadonlySet<number>;
  negated: boolean;
}

/** A value that follows from a click's time in milliseconds, and the time from which it is another one. */
export interface TimeStep {
  (time: number): { value: number; until: number };
  /** What it is, as data: it counts these bounds that are not after the time, or divides the time */
  readonly bounds?: readonly number[];
  readonly every?: number;
}

/** A column whose values are mapped to others, such as equal ones to the first of them. */
interface MappedColumn {
  column: ColumnName;
  /** A value that it does not have stays as it is */
  values: ReadonlyMap<number, number>;
}

/** What clicks are grouped by. */
export type Key = ColumnName | MappedColumn | TimeStep;

/** Clicks with the same values. */
export interface Sum {
  /** In the order of the keys; `none` for null */
  values: readonly number[];
  clicks: number;
  visitors: number;
  /** Of one of them, in milliseconds since the epoch; 0 if it was not wanted */
  time: number;
}

/** Clicks from one time up to, but not including, another, that meet all conditions, grouped in several ways at once. */
export interface Counting {
  from: number;
  to: number;
  conditions: readonly BlockCondition[];
  groupings: readonly (readonly Key[])[];
  /** Whether the time of one click of each group is wanted */
  withTimes?: boolean;
}

/** Adds up the clicks of blocks, which must come in the order of their days. */
export class BlockCounter {
  readonly #counting: Counting;
  readonly #groups: Groups[];

  constructor(counting: Counting) {
    this.#counting = counting;
    this.#groups = counting.groupings.map((keys) => new Groups(keys.length));
  }

  add(block: Block, { start, first, last }: Pick<BlockSummary, "start" | "first" | "last">): void {
    const { from, to, conditions, groupings, withTimes = false } = this.#counting;
    let times: Int32Array | undefined;
    const timesOf = () => (times ??= block.times());
    const isWhole = from <= first && last < to;
    const range = isWhole
      ? [0, block.count]
      : [from - start, to - start].map((at) => positionIn(timesOf(), at));
    const clicks = chosenIn(block, conditions, range as [number, number]);
    if (clicks.length === 0) return;
    const columns = new Map<Key, Column>();
    const columnOf = (key: Key): Column => {
      let column = columns.get(key);
      if (column === undefined) {
        if (typeof key === "string") column = block.columnOf(key, clicks);
        else if (typeof key === "function") column = stepsOf(clicks, timesOf, key, { start, first, last });
        else column = mapped(columnOf(key.column), key.values);
        columns.set(key, column);
      }
      return column;
    };
    const timeOf = (at: number) => (withTimes ? start + (timesOf()[clicks[at] as number] as number) : 0);
    const visitors = visitorsAmong(columnOf("unique"));
    for (const [at, keys] of groupings.entries())
      count(visitors, keys.map(columnOf), this.#groups[at] as Groups, timeOf);
  }

  /** Sums of the grouping that has most. */
  get size(): number {
    return Math.max(...this.#groups.map(({ size }) => size));
  }

  /** By grouping. */
  sums(): Sum[][] {
    return this.#groups.map((groups) => groups.sums());
  }
}

/** The position of the first time that is not before `time`. */
const positionIn = (times: Int32Array, time: number): number =>
  firstWhere(0, times.length, (at) => (times[at] as number) >= time);

/** The clicks of a range that meet all conditions, ascending. */
export function chosenIn(
  block: Block,
  conditions: readonly BlockCondition[],
  range: readonly [number, number],
): Uint16Array {
  let clicks: Uint16Array | undefined;
  for (const { column, ids, negated } of conditions) {
    const fits = Uint8Array.from(block.values(column), (value) => Number(ids.has(value) !== negated));
    if (!fits.includes(0)) continue;
    if (!fits.includes(1)) return new Uint16Array(0);
    clicks = clicks === undefined ? block.find(column, fits, range) : fitting(block, column, fits, clicks);
  }
  return clicks ?? allIn(range);
}

/** Those of some clicks whose value fits. */
function fitting(block: Block, column: ColumnName, fits: Uint8Array, clicks: Uint16Array): Uint16Array {
  const { positions } = block.columnOf(column, clicks);
  let kept = 0;
  for (let at = 0; at < clicks.length; at++) {
    clicks[kept] = clicks[at] as number;
    kept += fits[positions[at] as number] as number;
  }
  return clicks.subarray(0, kept);
}

function allIn([from, to]: readonly [number, number]): Uint16Array {
  const clicks = new Uint16Array(Math.max(0, to - from));
  for (let at = 0; at < clicks.length; at++) clicks[at] = from + at;
  return clicks;
}

const mapped = ({ positions, values }: Column, others: MappedColumn["values"]): Column => ({
  positions,
  values: values.map((value) => others.get(value) ?? value),
});

/** A column of what follows from the times of clicks. */
function stepsOf(
  clicks: Uint16Array,
  timesOf: () => Int32Array,
  step: TimeStep,
  { start, first, last }: Pick<BlockSummary, "start" | "first" | "last">,
): Column {
  const positions = new Uint16Array(clicks.length);
  let { value, until } = step(first);
  const values = [value];
  if (until > last) return { positions, values: Int32Array.from(values) };
  const times = timesOf();
  for (let at = 0; at < clicks.length; at++) {
    const time = start + (times[clicks[at] as number] as number);
    if (time >= until) {
      ({ value, until } = step(time));
      values.push(value);
    }
    positions[at] = values.length - 1;
  }
  return { positions, values: Int32Array.from(values) };
}

/** By click: 1 if it is the first one of a visitor. */
function visitorsAmong({ positions, values }: Column): Uint8Array {
  const isVisitor = Uint8Array.from(values, (value) => Number(value === 1));
  const visitors = new Uint8Array(positions.length);
  for (let at = 0; at < positions.length; at++) visitors[at] = isVisitor[positions[at] as number] as number;
  return visitors;
}

function count(
  visitors: Uint8Array,
  columns: readonly Column[],
  groups: Groups,
  timeOf: (at: number) => number,
): void {
  const { groupOf, size } = grouped(visitors.length, columns);
  const sums = new Int32Array(size);
  const visitorsIn = new Int32Array(size);
  const last = new Int32Array(size);
  for (let at = 0; at < groupOf.length; at++) {
    const group = groupOf[at] as number;
    sums[group] = (sums[group] as number) + 1;
    visitorsIn[group] = (visitorsIn[group] as number) + (visitors[at] as number);
    last[group] = at;
  }
  for (let group = 0; group < size; group++) {
    const clicks = sums[group] as number;
    if (clicks > 0) groups.add(columns, last[group] as number, clicks, visitorsIn[group] as number, timeOf);
  }
}

/** Numbers that groups may take for each click: with more, those that occur are numbered again */
const maxNumbers = 4;

/** Numbers the groups of clicks. */
function grouped(clicks: number, columns: readonly Column[]): { groupOf: Int32Array; size: number } {
  let groupOf: Int32Array = new Int32Array(clicks);
  let size = 1;
  for (const { positions, values } of columns) {
    if (values.length === 1) continue;
    // Both are at most 2^15 here, as a block has that many clicks.
    if (size > clicks) ({ groupOf, size } = numbered(groupOf));
    for (let at = 0; at < clicks; at++)
      groupOf[at] = (groupOf[at] as number) * values.length + (positions[at] as number);
    size *= values.length;
  }
  return size > maxNumbers * clicks ? numbered(groupOf) : { groupOf, size };
}

/** Numbers groups again, without those that do not occur. */
function numbered(groupOf: Int32Array): { groupOf: Int32Array; size: number } {
  const numbers = new Map<number, number>();
  for (let at = 0; at < groupOf.length; at++) {
    const group = groupOf[at] as number;
    let number = numbers.get(group);
    if (number === undefined) numbers.set(group, (number = numbers.size));
    groupOf[at] = number;
  }
  return { groupOf, size: numbers.size };
}

/** Sums of several blocks. */
class Groups {
  /** By key: the numbers of groups by the keys up to this one, as pairs of the group by those before and a value */
  readonly #byKey: readonly PairNumbers[];
  /** By group */
  readonly #clicks: number[] = [];
  readonly #visitors: number[] = [];
  readonly #times: number[] = [];

  constructor(keys: number) {
    this.#byKey = Array.from({ length: keys }, () => new PairNumbers());
  }

  /** Adds clicks with the values that the one at a position of the columns has. */
  add(
    columns: readonly Column[],
    at: number,
    clicks: number,
    visitors: number,
    timeOf: (at: number) => number,
  ): void {
    let group = 0;
    for (let key = 0; key < columns.length; key++) {
      const { positions, values } = columns[key] as Column;
      group = (this.#byKey[key] as PairNumbers).numberOf(group, values[positions[at] as number] as number);
    }
    // A new group has the next number.
    if (group === this.#clicks.length) this.#times.push(timeOf(at));
    this.#clicks[group] = (this.#clicks[group] ?? 0) + clicks;
    this.#visitors[group] = (this.#visitors[group] ?? 0) + visitors;
  }

  get size(): number {
    return this.#clicks.length;
  }

  sums(): Sum[] {
    return this.#clicks.map((clicks, group) => ({
      values: this.#valuesOf(group),
      clicks,
      visitors: this.#visitors[group] as number,
      time: this.#times[group] as number,
    }));
  }

  #valuesOf(group: number): number[] {
    const values: number[] = [];
    let before = group;
    for (let key = this.#byKey.length - 1; key >= 0; key--) {
      const pairs = this.#byKey[key] as PairNumbers;
      values[key] = pairs.second(before);
      before = pairs.first(before);
    }
    return values;
  }
}
