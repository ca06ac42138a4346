import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { createMemo } from "../../src/kernel/memo.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const heapUsed = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

const counting = (limit: number) => {
  const computed: string[] = [];
  const memo = createMemo((text) => {
    computed.push(text);
    return { text };
  }, limit);
  return { memo, computed };
};

describe("a memo", () => {
  it("computes once and gives the same result again", () => {
    const { memo, computed } = counting(10);
    expect(memo.get("a")).toBe(memo.get("a"));
    expect(computed).toEqual(["a"]);
  });

  it("holds no more than its limit after a million different texts", () => {
    const { memo } = counting(100);
    let peak = 0;
    for (let index = 0; index < 1_000_000; index++) {
      memo.get(`agent ${index}`);
      peak = Math.max(peak, memo.size);
    }
    expect(peak).toBe(100);
  });

  it("keeps frequent texts through a flood of texts that come once", () => {
    const { memo, computed } = counting(100);
    for (let index = 0; index < 10_000; index++) {
      memo.get(`flood ${index}`);
      if (index % 10 === 0) memo.get("usual");
    }
    expect(computed.filter((text) => text === "usual")).toHaveLength(1);
  });

  it("works with the smallest limit", () => {
    const { memo } = counting(2);
    for (const text of ["a", "b", "a", "c"]) expect(memo.get(text)).toEqual({ text });
    expect(memo.size).toBe(2);
  });

  it("uses the first 512 characters only", () => {
    const { memo, computed } = counting(10);
    const start = "x".repeat(512);
    expect(memo.get(`${start}1`)).toBe(memo.get(`${start}2`));
    expect(computed).toEqual([start]);
  });

  it("does not keep the long texts in memory that its keys were cut from", () => {
    const { memo } = counting(1_000);
    const before = heapUsed();
    for (let index = 0; index < 1_000; index++) memo.get(`${index}`.padEnd(16_384, "x"));
    expect(memo.size).toBe(1_000);
    expect(heapUsed() - before).toBeLessThan(8_000_000);
  });
});
