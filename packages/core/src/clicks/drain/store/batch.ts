import type { RawClick } from "../../log/raw-click.ts";
import { withCurrentBatches } from "./ids.ts";
import type { ClickStore } from "./store.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Counts clicks without a log. Clicks that arrive while a batch is being stored form the next batch, so a thousand at
 * once take a few transactions. Resolves when the click is stored; rejects if its link_id is no UUID or its batch fails.
 */
export function createBatchWriter(store: ClickStore, writer?: string): (click: RawClick) => Promise<void> {
  let stored: Promise<void> = Promise.resolve();
  let pending: RawClick[] = [];

  async function storePending(before: Promise<void>): Promise<void> {
    await before.catch(() => {});
    const clicks = pending;
    pending = [];
    await withCurrentBatches(async () => store.store(await store.prepare(clicks), null, writer));
  }

  return async (click) => {
    if (!uuid.test(click.link_id)) throw new TypeError("A click's link_id must be a UUID");
    pending.push(click);
    if (pending.length === 1) stored = storePending(stored);
    return stored;
  };
}
