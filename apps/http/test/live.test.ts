import { until } from "@terse/testkit";
import { afterAll, expect, it } from "vitest";
import { linkOf, startApp } from "./client.ts";

const app = await startApp();
const listener = await app.listen();
afterAll(() => listener.close(0));

/** Follows a stream over a socket; `text` grows. */
async function follow(headers: Record<string, string>) {
  const stopping = new AbortController();
  const response = await fetch(`${listener.url}/v1/analytics/live`, { headers, signal: stopping.signal });
  const stream = { response, text: "", ended: Promise.resolve(), leave: () => stopping.abort() };
  const reading = async () => {
    const texts = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream());
    for await (const text of texts) stream.text += text;
  };
  stream.ended = reading().catch(() => {});
  await until(() => stream.text.includes("event: ready"));
  return stream;
}
const idsIn = (text: string) => [...text.matchAll(/"id":"(\d+)"/g)].map(([, id]) => id);
const lastId = (text: string) => text.match(/.*^id: (\S+)$/ms)?.[1] ?? "";

it("a stream sends each click once over connections that are lost, and ends soon after its key or session", async () => {
  const { id: keyId, key, account } = await app.key("enterprise");
  const session = await app.core.sessions.create(account.id, { way: "google" });
  const link = linkOf(await app.ask("POST", "/v1/links", { key, json: { url: "https://example.com/" } }));
  const click = () => app.core.clicks.record({ link_id: link.id, user_agent: "Mozilla/5.0 Firefox/140.0" });

  const first = await follow({ authorization: `Bearer ${key}` });
  expect(Object.fromEntries(first.response.headers)).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  await click();
  await until(() => idsIn(first.text).length === 1);
  first.leave();
  await first.ended;
  await click();

  const second = await follow({ cookie: `session=${session.token}`, "last-event-id": lastId(first.text) });
  // Another stream of the account begins behind the clicks that this one has.
  await until(() => idsIn(second.text).length === 1);
  const third = await follow({ authorization: `Bearer ${key}` });
  await click();
  await until(() => idsIn(second.text).length === 2 && idsIn(third.text).length === 1);
  expect(new Set([...idsIn(first.text), ...idsIn(second.text)]).size).toBe(3);

  await app.core.keys.revoke(keyId);
  await third.ended;
  expect(third.text).toMatch(/event: end\ndata: \{"reason":"The credential of this stream has ended"\}\n\n$/);
  await app.ask("POST", "/auth/logout", { cookie: session.token, headers: { origin: "http://api.test" } });
  await second.ended;
});

it("a stream ends when the service stops, which does not wait for it", async () => {
  const { key } = await app.key("pro");
  const stream = await follow({ authorization: `Bearer ${key}` });
  app.core.live.end();
  await stream.ended;
  expect(stream.text).toContain('{"reason":"The service is stopping; connect again"}');
  const refused = await app.ask("GET", "/v1/analytics/live", { key });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
});

it("an id that no event has is refused", async () => {
  const { key } = await app.key("pro");
  const headers = { "last-event-id": "yesterday" };
  expect((await app.ask("GET", "/v1/analytics/live", { key, headers })).json).toEqual({
    data: null,
    error: "Last-Event-ID: must be the id of an event of this stream, or of a click",
    meta: null,
  });
});
