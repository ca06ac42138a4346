import { expect, it } from "vitest";
import { nothingCounted } from "../../../src/clicks/drain/positions.ts";
import { Window } from "../../../src/clicks/stream/window.ts";

it("leaves a segment to the drain that counts it, as long as parts of a batch are counted", () => {
  const window = new Window();
  window.add({ segment: "one", writer: "", from: 8, to: 108, bytes: Buffer.alloc(100) }, null, 0);
  const isRipe = (now: number, done: number) => {
    window.acknowledge(new Map([["one", { ...nothingCounted, until: 108, done }]]), now);
    return window.due(now, 2000).length === 1;
  };
  expect(isRipe(0, 1)).toBe(false);
  expect(isRipe(1500, 1 | 4)).toBe(false);
  expect(isRipe(3000, 1 | 4)).toBe(false);
  expect(isRipe(3500, 1 | 4)).toBe(true);
});
