import { expect, it } from "vitest";
import { eventsOf } from "../src/index.ts";

it("a stream is read event by event, wherever its chunks end, and a heartbeat is none", async () => {
  const text =
    'retry: 2000\n\nid: 7@1\nevent: ready\ndata: {}\n\nid: 8@2\n\nid: 9-1\nevent: click\ndata: {"country":"Å"}\n\nevent: end\ndata: {"rea';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const events = [];
    const ids: string[] = [];
    const answer = new Response(ReadableStream.from(chunks));
    for await (const event of eventsOf(answer, (id) => ids.push(id))) events.push(event);
    expect(ids).toEqual(["7@1", "8@2", "9-1"]);
    expect(events).toEqual([
      { id: "7@1", event: "ready", data: {} },
      { id: "9-1", event: "click", data: { country: "Å" } },
    ]);
  }
});
