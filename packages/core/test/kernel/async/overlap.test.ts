import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { overlap } from "../../../src/kernel/async/waiting.ts";

it("works before the answer comes", async () => {
  const order: string[] = [];
  const answer = setImmediate("answer").finally(() => order.push("answer"));
  expect(await overlap(answer, () => order.push("work"))).toBe("answer");
  expect(order).toEqual(["work", "answer"]);
});

it("throws the error of the work when the answer has come, even if that is an error, too", async () => {
  const work = () => {
    throw new Error("work");
  };
  let isOver = false;
  const answer = setImmediate().then(() => {
    isOver = true;
    throw new Error("answer");
  });
  await expect(overlap(answer, work)).rejects.toThrow("work");
  expect(isOver).toBe(true);
});
