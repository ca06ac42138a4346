import type { RawClick } from "../../log/index.ts";
import type { ClickStore } from "./store.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Counts clicks without a log: those that come while some are being stored are the next batch, so that a thousand at
 * once cost a few transactions. Resolves when the click is stored; rejects where it names no link, or its batch fails.
 */
export function createBatchWriter(store: ClickStore): (click: RawClick) => Promise<void> {
  let stored: Promise<void> = Promise.resolve();
  let gathered: RawClick[] = [];

  async function storeGathered(before: Promise<void>): Promise<void> {
    await before.catch(() => {});
    const clicks = gathered;
    gathered = [];
    await store.store(await store.prepare(clicks), null);
  }

  return async (click) => {
    if (!uuid.test(click.link_id)) throw new TypeError("A click's link_id must be a UUID");
    gathered.push(click);
    if (gathered.length === 1) stored = storeGathered(stored);
    return stored;
  };
}
