import { eventTypes } from "@terse/core";
import { type Json, json } from "./json.ts";

type EventType = keyof typeof eventTypes;

const headers = [
  ["webhook-id", "Identifies the event, even across repeated deliveries"],
  ["webhook-timestamp", "Time of the delivery, in seconds since the epoch"],
  ["webhook-signature", "Signatures of id, timestamp and body (Standard Webhooks)"],
] as const;

/** The schema of an event's subject. */
function dataOf(type: EventType): Json {
  const ref = (name: string, description?: string) => ({
    $ref: `#/components/schemas/${name}`,
    ...(description && { description }),
  });
  if (type === "link.clicked")
    return {
      type: "object",
      properties: {
        clicks: { type: "array", items: ref("Click"), description: "Oldest first, at most 100" },
      },
      required: ["clicks"],
      description: "Clicks by people",
    };
  if (type.startsWith("domain.")) return ref("Domain", "The domain");
  if (type.startsWith("link.")) return ref("Link", "The link");
  if (type === "activity.created") return ref("LoggedActivity", "The entry");
  return {
    type: "object",
    description: "The alert, with the clicks, their usual number, and the window they were counted in",
  };
}

/** What webhooks receive, each event as one request to their URL. */
export const webhooks = (): Json =>
  Object.fromEntries(
    (Object.keys(eventTypes) as EventType[]).map((type) => [
      type,
      {
        post: {
          operationId: `webhooks.events.${type}`,
          summary: `The event ${type}`,
          description: eventTypes[type],
          tags: ["Webhooks"],
          security: [],
          parameters: headers.map(([name, description]) => ({
            name,
            in: "header",
            required: true,
            description,
            schema: { type: "string" },
          })),
          requestBody: {
            required: true,
            content: json({
              type: "object",
              properties: {
                type: { type: "string", const: type, description: "The event" },
                timestamp: { type: "string", format: "date-time", description: "When it happened" },
                data: dataOf(type),
              },
              required: ["type", "timestamp", "data"],
            }),
          },
          responses: {
            "2XX": { description: "The event was received" },
            410: { description: "The webhook is switched off" },
            default: { description: "The event is retried for three days, with growing pauses" },
          },
        },
      },
    ]),
  );
