import { expect, it } from "vitest";
import { createTurns } from "../src/turns.ts";

it("begins the first task at once, and one more in each iteration of the event loop", async () => {
  const takeTurn = createTurns();
  const seen: string[] = [];
  for (const name of ["one", "two", "three"]) takeTurn(() => seen.push(name));
  expect(seen).toEqual(["one"]);
  const iterations = [];
  for (let at = 0; at < 4; at++) {
    await new Promise((resolve) => setImmediate(resolve));
    iterations.push([...seen]);
  }
  expect(iterations.map(({ length }) => length)).toEqual([2, 3, 3, 3]);
  expect(seen).toEqual(["one", "two", "three"]);
  takeTurn(() => seen.push("later"));
  expect(seen).toHaveLength(4);
});
