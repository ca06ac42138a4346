import { ConnectionError } from "./errors.ts";

/** One event of a stream such as `analytics.live`. */
export interface ServerEvent {
  /** What continues the stream after this event; "" if it has none */
  id: string;
  event: string;
  data: unknown;
}

/**
 * Reads the events of an answer as they arrive (server-sent events with JSON as data), until the stream ends. `onId` gets the id
 * of each, and those that come without an event as a sign of life: the last one continues the stream.
 *
 * @throws {ConnectionError} if the connection is lost
 */
export async function* eventsOf(
  answer: Response | PromiseLike<Response>,
  onId?: (id: string) => void,
): AsyncGenerator<ServerEvent, void> {
  const { body } = await answer;
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1] ?? "";
        const id = field("id");
        const data = field("data");
        if (id) onId?.(id);
        if (data) yield { id, event: field("event"), data: JSON.parse(data) };
      }
    }
  } catch (cause) {
    // What fetch throws for a lost connection; an aborted one has the reason of its signal.
    throw cause instanceof TypeError ? new ConnectionError("The stream was cut off", { cause }) : cause;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
