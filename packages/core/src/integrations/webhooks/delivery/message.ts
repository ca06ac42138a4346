import type { EventType } from "../../../outbox/event-types.ts";

/** The body of a delivery, in the form that the Standard Webhooks specification recommends. */
export const messageOf = ({
  type,
  at,
  data,
}: {
  type: EventType | "webhook.test";
  at: Date;
  data: unknown;
}): string => JSON.stringify({ type, timestamp: at.toISOString(), data });
