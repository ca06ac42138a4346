import { afterAll } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import type { CoreEvent, CoreOptions, NewWebhook } from "../../../src/index.ts";
import type { EventType } from "../../../src/outbox/event-types.ts";
import type { Received } from "../../outbound/site.ts";

/** Options with which webhooks reach the test's receivers. */
export const options = { outboundNetworks: ["127.0.0.0/8"] };

/** A core with a settable clock, which begins at the present: events have the database's time. */
export async function setUp(more: Partial<CoreOptions> = {}) {
  const time = { now: new Date() };
  const events: CoreEvent[] = [];
  const test = await createTestCore({
    ...options,
    clock: () => time.now,
    onEvent: (event) => void events.push(event),
    ...more,
  });
  afterAll(test.close);
  const pass = (seconds: number) => {
    time.now = new Date(time.now.getTime() + seconds * 1000);
  };

  /** Creates a Pro account with a webhook. */
  async function newWebhook(url: string, ...wanted: EventType[]) {
    const actor = await test.actor("pro");
    const caller = test.core.caller(actor);
    const webhook: NewWebhook = await caller.webhooks.create({ url, events: wanted });
    const { links, webhooks, domains, activity } = caller;
    return { links, webhooks, domains, activity, actor, webhook, id: webhook.id };
  }
  return { ...test, time, events, pass, newWebhook };
}

export interface Told {
  type: string;
  timestamp: string;
  data: { id: string; slug: string; title: string | null; tags: string[]; clicks: { link_id: string }[] };
}

/** The events among requests. */
export const toldBy = (received: readonly Received[]): Told[] =>
  received.map(({ body }) => JSON.parse(body) as Told);
