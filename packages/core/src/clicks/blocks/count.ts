import type { Block, Column } from "./block.ts";
import { type ColumnName, none } from "./columns.ts";
import type { BlockHead } from "./read-blocks.ts";

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

/** What clicks are grouped by. */
export type Key = ColumnName | TimeStep;

/** Clicks with the same values. */
export interface Sum {
  /** In the order of the keys; `none` for null */
  values: readonly number[];
  clicks: number;
  visitors: number;
  /** The time of the first one, in milliseconds since the epoch */
  first: number;
}

/** Clicks from one time up to, but not including, another, that meet all conditions, grouped in several ways at once. */
export interface Counting {
  from: number;
  to: number;
  conditions: readonly BlockCondition[];
  groupings: readonly (readonly Key[])[];
}

/** Adds up the clicks of blocks, which must come in the order of their days. */
export class BlockCounter {
  readonly #counting: Counting;
  readonly #groups: Groups[];

  constructor(counting: Counting) {
    this.#counting = counting;
    this.#groups = counting.groupings.map((keys) => new Groups(keys.length));
  }

  add(block: Block, { start, first, last }: Pick<BlockHead, "start" | "first" | "last">): void {
    const { from, to, conditions, groupings } = this.#counting;
    let times: Int32Array | undefined;
    const timesOf = () => (times ??= block.times());
    const isWhole = from <= first && last < to;
    const range = isWhole ? [0, block.count] : [from - start, to - start].map((at) => placeIn(timesOf(), at));
    const clicks = chosenIn(block, conditions, range as [number, number]);
    if (clicks.length === 0) return;
    const steps = new Map<TimeStep, Column>();
    const columnOf = (key: Key): Column => {
      if (typeof key === "string") return block.column(key);
      let column = steps.get(key);
      if (column === undefined) steps.set(key, (column = stepsOf(timesOf(), start, key, first, last)));
      return column;
    };
    const unique = block.column("unique");
    for (const [at, keys] of groupings.entries()) {
      const columns = keys.map(columnOf);
      count(
        clicks,
        columns,
        unique,
        this.#groups[at] as Groups,
        (click) => start + (timesOf()[click] as number),
      );
    }
  }

  /** By grouping. */
  sums(): Sum[][] {
    return this.#groups.map((groups) => groups.sums);
  }
}

/** The place of the first time that is not before `time`. */
function placeIn(times: Int32Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The clicks of a range that meet all conditions, ascending. */
export function chosenIn(
  block: Block,
  conditions: readonly BlockCondition[],
  [from, to]: [number, number],
): Uint16Array {
  let clicks = new Uint16Array(Math.max(0, to - from));
  for (let at = 0; at < clicks.length; at++) clicks[at] = from + at;
  for (const { column, ids, negated } of conditions) {
    const { places, values } = block.column(column);
    const fits = Uint8Array.from(values, (value) => Number(ids.has(value) !== negated));
    if (!fits.includes(0)) continue;
    if (!fits.includes(1)) return clicks.subarray(0, 0);
    let kept = 0;
    for (let at = 0; at < clicks.length; at++) {
      const click = clicks[at] as number;
      clicks[kept] = click;
      kept += fits[places[click] as number] as number;
    }
    clicks = clicks.subarray(0, kept);
  }
  return clicks;
}

/** A column of what follows from the times. */
function stepsOf(times: Int32Array, start: number, step: TimeStep, first: number, last: number): Column {
  const places = new Uint16Array(times.length);
  const values: number[] = [];
  let { value, until } = step(first);
  values.push(value);
  if (until > last) return { places, values: Int32Array.from(values) };
  for (let click = 0; click < times.length; click++) {
    const time = start + (times[click] as number);
    if (time >= until) {
      ({ value, until } = step(time));
      values.push(value);
    }
    places[click] = values.length - 1;
  }
  return { places, values: Int32Array.from(values) };
}

/** Groups are numbered as long as there are at most so many for each click; otherwise only those that occur. */
const sparsely = 4;

function count(
  clicks: Uint16Array,
  columns: readonly Column[],
  unique: Column,
  groups: Groups,
  timeOf: (click: number) => number,
): void {
  const { groupOf, size } = grouped(clicks, columns);
  const isVisitor = Uint8Array.from(unique.values, (value) => Number(value === 1));
  const sums = new Int32Array(size);
  const visitors = new Int32Array(size);
  const firsts = new Uint16Array(size);
  // From the end, so that the first click of a group is noted last.
  for (let at = clicks.length - 1; at >= 0; at--) {
    const click = clicks[at] as number;
    const group = groupOf[at] as number;
    (sums[group] as number)++;
    (visitors[group] as number) += isVisitor[unique.places[click] as number] as number;
    firsts[group] = click;
  }
  for (let group = 0; group < size; group++) {
    if (sums[group] === 0) continue;
    const click = firsts[group] as number;
    const values = columns.map(
      ({ places, values: different }) => different[places[click] as number] as number,
    );
    groups.add(values, sums[group] as number, visitors[group] as number, () => timeOf(click));
  }
}

/** Numbers the groups of clicks. */
function grouped(clicks: Uint16Array, columns: readonly Column[]): { groupOf: Int32Array; size: number } {
  let groupOf: Int32Array = new Int32Array(clicks.length);
  let size = 1;
  for (const { places, values } of columns) {
    if (values.length === 1) continue;
    // Both are at most 2^15 here, as a block has that many clicks.
    if (size > clicks.length) ({ groupOf, size } = numbered(groupOf));
    for (let at = 0; at < clicks.length; at++)
      groupOf[at] = (groupOf[at] as number) * values.length + (places[clicks[at] as number] as number);
    size *= values.length;
  }
  return size > sparsely * clicks.length ? numbered(groupOf) : { groupOf, size };
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

/** Values and groups are numbered from 0, so that a pair of them is a safe integer. */
const pairs = 2 ** 26;

/** Sums of several blocks. */
class Groups {
  readonly sums: Sum[] = [];
  /** By key: the numbers of values; and by key after the first: of pairs of what is before and a value */
  readonly #values: Map<number, number>[];
  readonly #pairs: Map<number, number>[];

  constructor(keys: number) {
    this.#values = Array.from({ length: keys }, () => new Map());
    this.#pairs = Array.from({ length: keys }, () => new Map());
  }

  add(values: readonly number[], clicks: number, visitors: number, first: () => number): void {
    let group = 0;
    for (const [at, value] of values.entries()) {
      const number = numberOf(this.#values[at] as Map<number, number>, value);
      group = at === 0 ? number : numberOf(this.#pairs[at] as Map<number, number>, group * pairs + number);
    }
    const sum = this.sums[group];
    if (sum === undefined) this.sums[group] = { values, clicks, visitors, first: first() };
    else {
      sum.clicks += clicks;
      sum.visitors += visitors;
    }
  }
}

function numberOf(numbers: Map<number, number>, key: number): number {
  let number = numbers.get(key);
  if (number === undefined) numbers.set(key, (number = numbers.size));
  return number;
}

/** Clicks without a value, for what reads sums: null. */
export const orNull = (value: number): number | null => (value === none ? null : value);
