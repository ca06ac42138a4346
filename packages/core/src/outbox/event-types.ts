/** The events of webhooks and their meanings, for /docs/webhooks. Names never change, because they are stored. */
export const eventTypes = {
  "link.created": "A link was created; `data` is the link",
  "link.updated":
    "A link was changed, or the operator disabled or enabled it; `data` is the link after the change",
  "link.deleted":
    "A link was deleted; `data` is its last state, with all its clicks. Sent ten seconds later, after those clicks",
  "link.clicked":
    "People followed links; `data.clicks` has up to 100 clicks, collected for about five seconds",
  "link.limit_reached": "The last click that a link's `click_limit` allows was counted; `data` is the link",
  "link.unhealthy": "The destination of a link no longer answers as it should; `data` is the link",
  "link.healthy": "The destination of an unhealthy link answers again; `data` is the link",
  "alert.fired":
    "An alert fired; `data` is the alert, with the clicks, their usual number, and the window they were counted in",
  "domain.verified": "A custom domain was verified; `data` is the domain",
  "domain.failed": "A custom domain failed verification and is no longer served; `data` is the domain",
  "activity.created":
    "Something was recorded in the activity log, such as a sign-in, a new key or another role; `data` is the entry. Changes of links have events of their own",
} as const satisfies Record<string, string>;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]];

/** Days for which events and the record of their deliveries are kept, and so can be delivered again */
export const keptDays = 7;
