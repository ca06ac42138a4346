import { randomId } from "../../kit/format/random-id.ts";

const name = "terse-import";
/** Milliseconds in which another tab answers */
const answerMs = 200;

/** Runs `work` with true, or with false if another tab of this browser is running it. */
export async function inOneTab(work: (isAlone: boolean) => Promise<void>): Promise<void> {
  // Browsers have locks only on https and on localhost. Typed as if they were always there.
  const locks = navigator.locks as LockManager | undefined;
  if (locks) await locks.request(name, { ifAvailable: true }, (lock) => work(lock !== null));
  else await askingOtherTabs(work);
}

/** Asks the other tabs whether one of them is at work. If two ask at once, the smaller id goes first. */
async function askingOtherTabs(work: (isAlone: boolean) => Promise<void>): Promise<void> {
  const id = randomId();
  const channel = new BroadcastChannel(name);
  let isRunning = false;
  const isTaken = await new Promise<boolean>((resolve) => {
    channel.addEventListener("message", ({ data }: MessageEvent<{ id: string; isRunning: boolean }>) => {
      const goesFirst = isRunning || (!data.isRunning && id < data.id);
      if (!goesFirst) resolve(true);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
      else if (!data.isRunning) channel.postMessage({ id, isRunning: true });
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
    channel.postMessage({ id, isRunning });
    setTimeout(() => {
      isRunning = true;
      resolve(false);
    }, answerMs);
  });
  try {
    await work(!isTaken);
  } finally {
    channel.close();
  }
}
