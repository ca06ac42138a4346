import { rename, truncate } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClickStore } from "../../../src/clicks/drain/store/store.ts";
import { listSegments, readSegment } from "../../../src/clicks/log/segments.ts";
import { newWriter, segmentFile, segmentId, self } from "../../../src/clicks/log/segment-name.ts";
import { createTestCore } from "../../../src/testing.ts";
import { clickOn, url } from "../../helpers.ts";
import { countsOf, drainOf, exactly, filesIn, logClicks, number, storeOf } from "./helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const { links } = core.caller(await actor());

/** The part of a link as the version before had it: one of four. */
const quarterOf = (link: string) => 1 << (Number.parseInt(link.slice(-1), 16) % 4);

describe("a large batch that a version before began in four parts", () => {
  /** Links with each last digit */
  let ids: string[];
  beforeAll(async () => {
    const byDigit = new Map<string, string>();
    while (byDigit.size < 16) {
      const { id } = await links.create({ url });
      byDigit.set(id.slice(-1), id);
    }
    ids = [...byDigit.values()];
  });

  /** A segment of a dead writer with 20 clicks on each link, of which that version has counted the parts `done`. */
  async function begun(done: number) {
    const folder = await tempFolder();
    const all = Array.from({ length: 320 }, (_, at) =>
      clickOn(ids[at % ids.length] ?? "", { address: `10.0.${at >> 8}.${at & 255}` }),
    );
    await logClicks(folder, all, { perFrame: 16, segmentBytes: 1e6 });
    const [file = ""] = await filesIn(folder);
    const owner = { pid: 2 ** 30, started: 1, place: self.place };
    const id = segmentId({ since: 1, writer: newWriter(), number: 0, owner });
    await rename(join(folder, file), join(folder, segmentFile(id)));
    const [segment] = await listSegments(folder);
    if (!segment) throw new Error("Expected a segment");
    const { clicks, next } = await readSegment(segment, 0, Number.POSITIVE_INFINITY);
    const store = storeOf(core);
    const progress = { segment: segment.id, from: 0, to: next, exists: async () => true, all: 15 };
    const storeQuarter = async (bit: number) => {
      const batch = await store.prepare(clicks.filter(({ link_id }) => quarterOf(link_id) === bit));
      return store.storePart({ bit, batch }, progress, segment.writer);
    };
    for (const bit of [1, 2, 4, 8]) if ((done & bit) !== 0) expect(await storeQuarter(bit)).toBe(true);
    return { folder, segment, storeQuarter };
  }

  const inParts = (folder: string, store?: ClickStore) =>
    drainOf(core, folder, { splitFrom: 1, ...(store && { store }) });
  const counts = () => Promise.all(ids.map(async (id) => (await countsOf(core, id)).raw));

  it.each([1, 2 | 8, 1 | 2 | 4])("is finished by the others, with %i counted", async (done) => {
    const before = await counts();
    const { folder } = await begun(done);
    const left = ids.filter((id) => (done & quarterOf(id)) === 0);
    expect(await inParts(folder).once()).toBe(20 * left.length);
    for (const [at, id] of ids.entries())
      expect(await countsOf(core, id)).toEqual(exactly((before[at] ?? 0) + 20));
    expect(await filesIn(folder)).toEqual([]);
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
  });

  it("is continued when that is interrupted too", async () => {
    const before = await counts();
    const { folder } = await begun(4);
    for (let round = 0; round < 2; round++) {
      const store = storeOf(core);
      let stored = 0;
      const interrupted = inParts(folder, {
        ...store,
        async storePart(...args) {
          if (stored++ > 0) throw new Error("interrupted");
          return store.storePart(...args);
        },
      });
      await expect(interrupted.once()).rejects.toThrow("interrupted");
    }
    expect(await inParts(folder).once()).toBe(80);
    for (const [at, id] of ids.entries())
      expect(await countsOf(core, id)).toEqual(exactly((before[at] ?? 0) + 20));
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
  });

  it("ends where a power failure cut its file off", async () => {
    const before = await counts();
    const { folder, segment } = await begun(8);
    await truncate(segment.path, (await readSegment(segment, 0, 160)).next);
    await drainOf(core, folder).once();
    for (const [at, id] of ids.entries())
      expect(await countsOf(core, id)).toEqual(exactly((before[at] ?? 0) + (quarterOf(id) === 8 ? 20 : 10)));
    expect(await filesIn(folder)).toEqual([]);
  });

  it("is left to its four parts by a drain that has read it before", async () => {
    const before = await counts();
    const { folder, storeQuarter } = await begun(0);
    const store = storeOf(core);
    let begins: Promise<boolean> | undefined;
    const late = inParts(folder, {
      ...store,
      async storePart(...args) {
        begins ??= storeQuarter(1);
        expect(await begins).toBe(true);
        return store.storePart(...args);
      },
    });
    expect(await late.once()).toBe(0);
    expect(await late.once()).toBe(240);
    for (const [at, id] of ids.entries())
      expect(await countsOf(core, id)).toEqual(exactly((before[at] ?? 0) + 20));
  });
});
