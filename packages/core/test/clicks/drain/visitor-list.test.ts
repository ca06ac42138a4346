import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createSequence, idOf, setId } from "../../../src/clicks/click-id.ts";
import { type Day, Visitors } from "../../../src/clicks/drain/prepare/visitors.ts";

const dayAt = (start: number): Day => ({ date: `day ${start}`, start, salt: Buffer.alloc(32), key: "" });

describe("the visitors of a batch", () => {
  const days = [dayAt(2), dayAt(1)];
  // Every third one has the same first bytes as others, and some come again.
  const hashes = Array.from({ length: 5000 }, (_, at) =>
    at % 3 === 0 ? Buffer.concat([Buffer.alloc(6, 255), randomBytes(2)]) : randomBytes(8),
  );
  const expected = new Map<bigint, { day: Day; click: number }>();
  const visitors = new Visitors();
  for (const [click, hash] of hashes.entries()) {
    const number = hash.readBigInt64BE(0);
    const day = days[Number(number & 1n)] as Day;
    visitors.add(day, hash.toString("latin1"), click);
    if (!expected.has(number)) expected.set(number, { day, click });
  }

  it("are there once each, with their first click", () => {
    expect(visitors.size).toBe(expected.size);
    expect(expected.size).toBeLessThan(hashes.length);
    for (const hash of hashes) {
      const click = visitors.clickOf(hash.readInt32BE(0), hash.readInt32BE(4));
      expect(click).toBe(expected.get(hash.readBigInt64BE(0))?.click);
    }
  });

  it("come in the order of days and numbers, as those of every version do", () => {
    const list = visitors
      .byDay()
      .flatMap(({ date, numbers }) => Array.from(numbers, (number) => [date, number]));
    const inOrder = [...expected]
      .map(([number, { day }]) => [day.date, number] as const)
      .toSorted(([p, a], [q, b]) => p.localeCompare(q) || (a < b ? -1 : 1));
    expect(list).toEqual(inOrder);
  });
});

describe("the halves of a click's id", () => {
  it("are its time and sequence", () => {
    const next = createSequence(2 ** 20 - 2);
    const words = new Int32Array(3);
    for (const time of [1, Date.UTC(2020, 0), Date.UTC(2026, 6, 1, 12) + 4095, Date.UTC(2247, 0) + 1]) {
      const sequence = next();
      setId(time, sequence, words, 1);
      const [, high = 0, low = 0] = words;
      expect((BigInt(high) << 32n) | BigInt(low >>> 0)).toBe(idOf(time, sequence));
    }
  });
});
