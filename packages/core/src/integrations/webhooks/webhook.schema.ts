import { asRefused } from "../../kernel/validation/issues.ts";
import * as z from "zod";
import { type EventType, eventTypeNames } from "../../outbox/event-types.ts";
import { parseDestination } from "../../redirects/destination.ts";
import { oneOf } from "../../kernel/validation/inputs.ts";
import { named, timestamp } from "../../kernel/validation/strings.ts";
import { makerOutput } from "../../rpc/makers.ts";

const maxUrlLength = 2000;

/** The schemas of webhooks; `eventTypes` in outbox/ says what each event means. */

export const urlInput = z
  .string()
  .max(maxUrlLength, `must have at most ${maxUrlLength} characters`)
  .meta({ description: "Where events are sent: an https URL", examples: ["https://example.com/hooks/terse"] })
  .transform((raw, ctx) => {
    const result = parseDestination(raw);
    if (result.ok) return result.url;
    ctx.addIssue(asRefused(result.reason));
    return z.NEVER;
  });

export const eventsInput = z
  .array(oneOf(eventTypeNames))
  .min(1, "must have at least one event")
  .max(eventTypeNames.length, `must have at most ${eventTypeNames.length} events`)
  .transform((given): EventType[] => eventTypeNames.filter((name) => given.includes(name)))
  .describe("The events it receives; /docs/webhooks explains each");

export const activeInput = z
  .boolean("must be true or false")
  .describe("False switches it off: it receives no events meanwhile");

const fields = z.object({
  id: z.string(),
  url: z.string().describe("Where events are sent"),
  events: z.array(z.enum(eventTypeNames)).describe("The events it receives"),
  active: z.boolean().describe("False if it was switched off, by its owner or after three days of failures"),
  inactive_reason: z
    .string()
    .nullable()
    .describe("Why the service switched it off; null if its owner did, or if it is active"),
  failing_since: timestamp
    .nullable()
    .describe("Since when deliveries have failed; null if the last one succeeded"),
  next_attempt_at: timestamp.nullable().describe("When the failed delivery is retried; null if none failed"),
  created_at: timestamp,
  created_by: makerOutput,
  updated_at: timestamp,
});

/** A webhook as every client sees it. */
export interface Webhook extends z.infer<typeof fields> {}
export const webhookSchema = named<Webhook>("Webhook", fields);

const newFields = fields.extend({
  secret: z.string().describe("The signing key, shown only once"),
});

/** A webhook with a new secret. */
export interface NewWebhook extends z.infer<typeof newFields> {}
export const newWebhookSchema = named<NewWebhook>("NewWebhook", newFields);

const deliveryFields = z.object({
  id: z.string(),
  event_id: z.string().describe("The webhook-id header: the same for every attempt to deliver an event"),
  event: z.enum([...eventTypeNames, "webhook.test"]).describe("Type of the event"),
  at: timestamp.describe("When it was sent"),
  attempt: z.int().describe("1 for the first attempt"),
  ok: z.boolean().describe("True if the answer had a 2xx status"),
  status: z.int().nullable().describe("Status of the answer; null if there was none"),
  duration_ms: z.int().describe("Milliseconds until the answer"),
  failure: z.string().nullable().describe("Why there was no answer"),
  answer: z.string().nullable().describe("The first thousand characters of the answer"),
});

/** One attempt to deliver an event. */
export interface Delivery extends z.infer<typeof deliveryFields> {}
export const deliverySchema = named<Delivery>("WebhookDelivery", deliveryFields);

/** The delivery of events to webhooks. */
export interface Webhooks {
  /** Delivers everything due now and waits for it; returns the number of attempts. */
  deliverDue(): Promise<number>;
  /** Delivers until the core is closed. */
  start(): void;
  /** Stops; deliveries in progress are repeated by another node, or after the next start. */
  close(): Promise<void>;
}
