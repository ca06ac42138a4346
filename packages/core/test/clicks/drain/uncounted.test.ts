import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import { expect, it } from "vitest";
import { uncountedIn } from "../../../src/clicks/drain/positions.ts";
import { ClickLog } from "../../../src/clicks/log/click-log.ts";
import { click } from "../log/clicks.ts";
import { sizeOf } from "../log/helpers.ts";

it("counts the clicks of a segment without those before its position, and without the parts that are counted", async () => {
  const folder = await tempFolder();
  const log = new ClickLog({ folder, fsync: "off" });
  const id = (last: number) => `0197a2b0-1234-7abc-8def-01234567890${last}`;
  const flush = (count: number, last: number) =>
    Promise.all(
      Array.from(
        { length: count },
        (_, at) => new Promise<void>((done) => log.append(click(at, { link_id: id(last) }), done)),
      ),
    );
  await flush(3, 0);
  const first = await sizeOf(folder);
  await flush(5, 1);
  const second = await sizeOf(folder);
  await flush(7, 0);
  const [file = ""] = await readdir(folder);
  const bytes = await readFile(join(folder, file));
  await log.close();
  const whole = { from: 0, until: null, done: 0 };
  expect(uncountedIn(bytes, whole)).toEqual({ clicks: 15, end: bytes.length });
  expect(uncountedIn(bytes.subarray(0, -1), whole)).toEqual({ clicks: 8, end: second });
  expect(uncountedIn(bytes.subarray(first), { from: first, until: null, done: 0 }).clicks).toBe(12);
  expect(uncountedIn(bytes, { from: 0, until: second, done: 1 }).clicks).toBe(12);
  expect(uncountedIn(bytes, { from: 0, until: second, done: 3 }).clicks).toBe(7);
  expect(uncountedIn(bytes.subarray(first), { from: first, until: second, done: 2 }).clicks).toBe(7);
});
