import { describe, expect, it } from "vitest";
import {
  bitsFor,
  bitsPadding,
  findBits,
  packBits,
  unpackBits,
  unpackSome,
} from "../../../src/kernel/numbers.ts";
import {
  Block,
  type Clicks,
  type ColumnName,
  columnNames,
  maxClicks,
  packBlock,
  unpackBlock,
} from "../../../src/clicks/blocks/block.ts";
import { randomFrom } from "../../analytics/naive.ts";

const random = randomFrom(49);
const upTo = (count: number) => Math.floor(random() * count);
const day = 86_400_000;

function clicksOf(
  count: number,
  value: (name: ColumnName) => number,
  sequence: (at: number) => number,
): Clicks {
  const column = (of: (at: number) => number) => Int32Array.from({ length: count }, (_, at) => of(at));
  return {
    times: column(() => upTo(day)).toSorted(),
    sequences: column(sequence),
    values: Object.fromEntries(
      columnNames.map((name) => [name, column(() => value(name))]),
    ) as Clicks["values"],
  };
}

describe("a block", () => {
  it.each([1, 2, 3, 8, 500, maxClicks])("of %i random clicks is read as it was written", (count) => {
    for (const values of count < maxClicks ? [1, 2, 3, 300, 2 ** 31 - 1] : [2 ** 31 - 1]) {
      const clicks = clicksOf(
        count,
        () => upTo(values + 1) - 1,
        () => upTo(2 ** 20),
      );
      expect(unpackBlock(packBlock(clicks))).toEqual(clicks);
    }
  });

  it("takes a byte for the sequence of clicks that were counted one after the other", () => {
    const first = 2 ** 20 - 700;
    const clicks = clicksOf(
      1000,
      () => 7,
      (at) => (first + at) % 2 ** 20,
    );
    const packed = packBlock(clicks);
    expect(packed.sequences.length).toBeLessThan(1010);
    expect(packed.packed.length).toBeLessThan(4100);
    expect(unpackBlock(packed)).toEqual(clicks);
  });

  it("with fewer columns has null in the others", () => {
    // Two clicks with one column, the times 5 and 7, and the link 3.
    const old = new Block(Buffer.of(2, 1, 2, 2, 5, 2, 1, 4, 0, 0));
    expect([...old.times()]).toEqual([5, 7]);
    expect(old.column("link")).toEqual({ positions: Uint16Array.of(0, 0), values: Int32Array.of(3) });
    expect(old.column("unique")).toEqual({ positions: Uint16Array.of(0, 0), values: Int32Array.of(-1) });
  });
});

it("numbers of any width are packed as bits", () => {
  for (let width = 0; width <= 24; width++) {
    const numbers = Int32Array.from({ length: 77 }, () => upTo(2 ** width));
    expect(bitsFor(2 ** width)).toBe(width);
    const packed = packBits(numbers, width);
    expect(unpackBits(packed, width, new Int32Array(77))).toEqual(numbers);
    const some = Uint16Array.of(0, 1, 40, 41, 76);
    const padded = Buffer.concat([packed, Buffer.alloc(bitsPadding)]);
    if (width > 16) continue;
    expect([...unpackSome(padded, width, some)]).toEqual(Array.from(some, (at) => numbers[at]));
    const fits = Uint8Array.from({ length: 2 ** width }, () => upTo(2));
    const inRange = (from: number, to: number) =>
      [...numbers.keys()].filter((at) => at >= from && at < to && fits[numbers[at] as number] === 1);
    for (const [from, to] of [
      [0, 77],
      [5, 60],
      [76, 77],
      [77, 77],
      [9, 3],
    ] as const)
      expect([...findBits(packed, width, fits, [from, to])]).toEqual(inRange(from, to));
  }
});
