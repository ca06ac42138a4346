/** One event of a stream such as `analytics.live`. */
export interface ServerEvent {
  /** What continues the stream after this event; "" if it has none */
  id: string;
  event: string;
  data: unknown;
}

/** Reads the events of an answer as they arrive (server-sent events with JSON as data), until the stream ends. */
export async function* eventsOf(answer: Response | PromiseLike<Response>): AsyncGenerator<ServerEvent, void> {
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
        const data = field("data");
        if (data) yield { id: field("id"), event: field("event"), data: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
