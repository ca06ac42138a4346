import { expect, it } from "vitest";
import { Coalescer } from "../../../src/kernel/async/single-flight.ts";

/** Results are numbers in the order in which their runs began; each run ends on demand. */
function answers() {
  const ends: ((error?: Error) => void)[] = [];
  const make = () => {
    const answer = ends.length + 1;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    ends.push((error) => (error ? reject(error) : resolve(answer)));
    return promise;
  };
  return { ends, make };
}

it("gives no caller a result that was started before the call, and all waiting callers the same one", async () => {
  const shared = new Coalescer<number>();
  const { ends, make } = answers();
  const first = shared.run("a", make);
  const second = [1, 2, 3].map(() => shared.run("a", make));
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(await first).toBe(1);
  await expect.poll(() => ends.length).toBe(2);
  const third = shared.run("a", make);
  ends[1]?.();
  expect(await Promise.all(second)).toEqual([2, 2, 2]);
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.();
  expect(await third).toBe(3);
});

it("keeps different keys apart, and starts again after the last caller", async () => {
  const shared = new Coalescer<number>();
  const { ends, make } = answers();
  const both = [shared.run("a", make), shared.run("b", make)];
  for (const end of ends) end();
  expect(await Promise.all(both)).toEqual([1, 2]);
  const again = shared.run("a", make);
  ends[2]?.();
  expect(await again).toBe(3);
});

it("passes a failure to the callers that shared it, and to no other", async () => {
  const shared = new Coalescer<number>();
  const { ends, make } = answers();
  const first = shared.run("a", make);
  const second = shared.run("a", make);
  ends[0]?.(new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  expect(await second).toBe(2);
});
