import type { LiveEvent } from "./stream.ts";

/** Milliseconds after which browsers connect again */
const retryMs = 2000;

/** Events as text/event-stream (HTML standard, section 9.2). The text of an event is one piece. */
export function serverSentEvents(events: AsyncIterableIterator<LiveEvent>): AsyncIterableIterator<string> {
  let isBegun = false;
  const texts: AsyncIterableIterator<string> = {
    async next() {
      if (!isBegun) {
        isBegun = true;
        return { done: false, value: `retry: ${retryMs}\n\n` };
      }
      const { done, value } = await events.next();
      return done ? { done: true, value: undefined } : { done: false, value: textOf(value) };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => texts,
  };
  return texts;
}

/** A heartbeat has an id and no data, so clients note the id only. */
function textOf(event: LiveEvent): string {
  if (event.name === "heartbeat") return `id: ${event.id}\n\n`;
  const id = "id" in event ? `id: ${event.id}\n` : "";
  return `${id}event: ${event.name}\ndata: ${JSON.stringify(dataOf(event))}\n\n`;
}

function dataOf(event: Exclude<LiveEvent, { name: "heartbeat" }>): unknown {
  if (event.name === "click") return event.click;
  if (event.name === "skipped") return { clicks: event.clicks };
  return event.name === "end" ? { reason: event.reason } : {};
}
