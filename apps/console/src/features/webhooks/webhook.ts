import type { Answers } from "../../kit/api/answers.ts";
import type { Strings } from "../../words/en.ts";

type Outputs = Answers["webhooks"];
export type Webhook = Outputs["list"][number];
export type NewWebhook = Outputs["create"];
export type Delivery = Outputs["deliveries"]["data"][number];
export type EventName = Webhook["events"][number];

/** The events that a webhook can be told, in the order of their words. */
export const eventNames = (words: Strings["webhooks"]): EventName[] =>
  Object.keys(words.events) as EventName[];

/** A URL as people recognise it */
export const shortName = (url: string): string => url.replace(/^https?:\/\//, "").replace(/\/$/, "");
