import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { ClickLogOptions } from "../../../src/clicks/log/frame-store.ts";
import { ClickLog } from "../../../src/clicks/log/click-log.ts";
import { listSegments, readSegment } from "../../../src/clicks/log/segments.ts";
import type { RawClick } from "../../../src/clicks/log/format.ts";
import type { CoreEvent } from "../../../src/index.ts";
import { segmentId, type SegmentOwner, self } from "../../../src/clicks/log/segment-name.ts";

/** Appends clicks in one event loop iteration and waits until they are stored. */
export async function appendTogether(log: ClickLog, clicks: RawClick[]): Promise<void> {
  await Promise.all(clicks.map((one) => new Promise<void>((done) => log.append(one, done))));
}

/** Reads all clicks of a folder in the order of `listSegments`, in parts. */
export async function readAll(folder: string, maxClicks = 1000): Promise<RawClick[]> {
  const clicks: RawClick[] = [];
  for (const segment of await listSegments(folder)) {
    for (let position = 0, end = false; !end; ) {
      const part = await readSegment(segment, position, maxClicks);
      clicks.push(...part.clicks);
      position = part.next;
      end = part.end;
    }
  }
  return clicks;
}

/** Bytes of the only segment of a folder. */
export const sizeOf = async (folder: string): Promise<number> =>
  (await listSegments(folder))[0]?.bytes ?? expect.fail();

/** Opens a log that does not sync, and collects its events. */
export async function openTestLog(folder: string, options: Partial<ClickLogOptions> = {}) {
  const events: CoreEvent[] = [];
  const log = new ClickLog({
    folder,
    fsync: "off",
    onEvent: (event) => events.push(event),
    ...options,
  });
  onTestFinished(() => log.close());
  return { log, events };
}

/** Writes a segment as a process of `owner` would have left it. */
export async function putSegment(
  folder: string,
  content: Uint8Array,
  owner: Partial<SegmentOwner> = {},
  number = 0,
) {
  const writer = randomUUID().replaceAll("-", "");
  const id = segmentId({ since: 1, writer, number, owner: { ...self, ...owner } });
  const path = join(folder, `${id}.clicks`);
  await writeFile(path, content);
  return { id, path };
}
