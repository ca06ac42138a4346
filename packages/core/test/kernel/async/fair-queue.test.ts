import { expect, it } from "vitest";
import { FairQueue, type Share } from "../../../src/kernel/async/fair-queue.ts";

/** A queue whose jobs end one by one, in the order in which they began. */
function manualQueue(limits: { atOnce: number; maxWaiting: number }) {
  const queue = new FairQueue({ ...limits, refusal: () => new Error("full") });
  const began: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    began,
    refused,
    add(name: string, ...shares: Share[]): void {
      this.addTo(name, shares, false);
    },
    addTo(name: string, shares: readonly Share[], isLast: boolean): void {
      const job = () => {
        began.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      queue.run(shares, job, isLast).catch(() => refused.push(name));
    },
    settle,
    async end(count: number): Promise<void> {
      for (let ended = 0; ended < count; ended++) {
        await settle();
        ends.shift()?.();
      }
      await settle();
    },
  };
}

const client = (key: string): Share => ({ key, weight: 1 });
const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name}${at + 1}`);

it("a client with many jobs delays its own only", async () => {
  const queue = manualQueue({ atOnce: 1, maxWaiting: 100 });
  for (const name of numbered("many", 8)) queue.add(name, client("many"));
  queue.add("one", client("one"));
  for (const name of numbered("two", 2)) queue.add(name, client("two"));
  await queue.end(11);
  expect(queue.began.slice(0, 5)).toEqual(["many1", "many2", "one", "two1", "many3"]);
  expect(queue.began.slice(5)).toEqual(["two2", "many4", "many5", "many6", "many7", "many8"]);
});

it("a full queue refuses the latest job of the client that fills it", async () => {
  const queue = manualQueue({ atOnce: 1, maxWaiting: 3 });
  for (const name of numbered("many", 4)) queue.add(name, client("many"));
  queue.add("one", client("one"));
  queue.add("two", client("two"));
  queue.add("many5", client("many"));
  await queue.settle();
  expect(queue.refused).toEqual(["many4", "many3", "many5"]);
  await queue.end(4);
  expect(queue.began).toEqual(["many1", "many2", "one", "two"]);
  // Refused jobs are not held against the client.
  queue.add("many6", client("many"));
  queue.add("three", client("three"));
  await queue.end(2);
  expect(queue.began.slice(4)).toEqual(["many6", "three"]);
});

it("a client with many jobs is not starved by clients that keep coming", async () => {
  const queue = manualQueue({ atOnce: 1, maxWaiting: 100 });
  for (const name of numbered("many", 5)) queue.add(name, client("many"));
  for (const name of numbered("new", 6)) {
    queue.add(name, client(name));
    await queue.end(1);
  }
  expect(queue.began.filter((name) => name.startsWith("many"))).toEqual(["many1", "many2", "many3", "many4"]);
});

it("a share of weight ten gets as much as ten clients", async () => {
  const queue = manualQueue({ atOnce: 1, maxWaiting: 100 });
  for (const name of numbered("link", 30)) queue.add(name, client(name), { key: "link", weight: 10 });
  queue.add("other", client("other"));
  await queue.end(31);
  expect(queue.began.indexOf("other")).toBe(10);
});

it("jobs that are last wait behind all others, and are the first that a full queue refuses", async () => {
  const queue = manualQueue({ atOnce: 1, maxWaiting: 3 });
  for (const name of numbered("last", 4)) queue.addTo(name, [client(name)], true);
  queue.add("one", client("one"));
  for (const name of numbered("two", 2)) queue.add(name, client("two"));
  await queue.end(4);
  expect(queue.began).toEqual(["last1", "one", "two1", "two2"]);
  expect(queue.refused).toEqual(["last4", "last3", "last2"]);
});

it("runs as many jobs at a time as it may, also after one failed", async () => {
  let running = 0;
  let most = 0;
  const queue = new FairQueue({ atOnce: 2, maxWaiting: 10, refusal: () => new Error("full") });
  const jobs = Array.from({ length: 9 }, (_, at) =>
    queue.run([client(String(at % 2))], async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (at % 3 === 0) throw new Error("failed");
      return at;
    }),
  );
  const outcomes = await Promise.allSettled(jobs);
  expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : null))).toEqual([
    null,
    1,
    2,
    null,
    4,
    5,
    null,
    7,
    8,
  ]);
  expect(most).toBe(2);
});
