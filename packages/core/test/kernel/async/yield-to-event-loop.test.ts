import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, url } from "../../helpers.ts";
import { storeOf } from "../../clicks/drain/helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);

/** Counts the iterations of the event loop while a test runs. */
function countTurns(): () => number {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(next));
  return () => turns;
}

function work(ms: number): void {
  const start = performance.now();
  while (performance.now() - start < ms);
}

describe("preparing a batch", () => {
  it("lets the event loop run, even if a few clicks take long", async () => {
    const { id } = await core.caller(await actor()).links.create({ url });
    const turns = countTurns();
    const readIn = new Set<number>();
    // The sender decides how expensive the user agent is to parse.
    const costly = Array.from({ length: 60 }, () => ({
      ...clickOn(id),
      get user_agent() {
        work(2);
        readIn.add(turns());
        return "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
      },
    }));
    const { clicks } = await storeOf(core).prepare(costly);
    expect(clicks).toHaveLength(costly.length);
    expect(readIn.size).toBeGreaterThan(20);
  });
});
