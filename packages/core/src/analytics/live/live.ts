import { requires } from "../call.ts";
import * as z from "zod";
import { streamedFile } from "../../kernel/validation/files.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { filterFields, filterNote, filtersOf } from "../filter.input.ts";
import { lastEventId, parseCursor } from "./cursor.ts";
import { serverSentEvents } from "./server-sent-events.ts";
import { AppError } from "../../kernel/errors.ts";

const follow = z
  .boolean({ error: "must be true or false" })
  .meta({ description: "false ends the stream after what was missed since the last event" })
  .default(true);

export const live = requires("realtime")
  .meta({
    scope: "analytics:read",
    openapi: {
      method: "GET",
      path: "/v1/analytics/live",
      tags: ["Analytics"],
      summary: "Follow clicks",
      description: `Server-sent events: \`click\` has a click as in the list of the last clicks. With the id of an event, a stream continues after it: each click is sent once. ${filterNote}`,
      successDescription:
        "Events `click`, `ready` when what was missed has been sent, `skipped` with the number of clicks that were left out, and `end` with the reason",
      successContent: { "text/event-stream": z.string() },
    },
  })
  .input(fieldsOf({ last_event_id: lastEventId, follow, ...filterFields }).prefault({}))
  .output(streamedFile)
  .query(async ({ ctx, input: { last_event_id, follow: goesOn, ...input } }) => {
    const { actor, deps, lastEventId: fromHeader } = ctx;
    // The builder lets in accounts only.
    if (actor.kind !== "account") throw new Error("A stream needs an account");
    const after = cursorOf(fromHeader) ?? (last_event_id === undefined ? null : parseCursor(last_event_id));
    return {
      content_type: "text/event-stream; charset=utf-8",
      disposition: "inline" as const,
      body: serverSentEvents(
        await deps.live.open(actor, { filters: filtersOf(input), after, follow: goesOn }),
      ),
    };
  });

function cursorOf(header: string | undefined) {
  if (header === undefined || header === "") return null;
  const cursor = parseCursor(header);
  if (cursor === null)
    throw new AppError(
      "BAD_REQUEST",
      "Last-Event-ID must be the id of an event of this stream, or of a click",
    );
  return cursor;
}
