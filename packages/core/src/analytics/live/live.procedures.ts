import { requires } from "../call.ts";
import type { PoolClient } from "pg";
import * as z from "zod";
import { timeOfId } from "../../clicks/click-id.ts";
import { inSnapshot } from "../../db/connection.ts";
import { reading } from "../../rpc/call.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { filterFields, filterNote, filtersOf } from "../filter.input.ts";
import { listedClickSchema } from "../analytics.schema.ts";
import {
  type ClickRow,
  lastInBlocks,
  listedClicks,
  type StoredClick,
  storedColumns,
  withChannel,
  withLabels,
} from "./listed-clicks.ts";
import { type Selection, selectionOf } from "../questions/conditions.ts";
import { withReportSlot } from "../questions/source.ts";
import { accountScope } from "../question.ts";
import { streamedFile } from "../../kernel/validation/files.ts";
import { lastEventId, parseCursor } from "./cursor.ts";
import { refusal } from "../../kernel/errors.ts";
import type { LiveEvent } from "./stream.ts";

const maxClicks = 20;
/** A filter is applied to this many of the last clicks, so that one that fits none does not read all of them. */
const maxSearched = 100_000;

export const realtime = requires("realtime")
  .meta({
    scope: "analytics:read",
    route: "GET /v1/analytics/realtime",
    tag: "Analytics",
    summary: "See the last clicks",
    description: `A click appears within two seconds. A filter searches the last ${maxSearched.toLocaleString("en")} clicks. ${filterNote}`,
    successDescription: "The last 20 clicks, newest first",
  })
  .input(fieldsOf(filterFields).prefault({}))
  .output(z.array(listedClickSchema))
  .query(({ ctx, input }) => {
    const { deps, account } = reading(ctx);
    const filters = filtersOf(input);
    const isFiltered = filters.length > 0;
    const read = async (database: PoolClient) => {
      const selection = await selectionOf(database, accountScope(account.id), filters, deps.shortHost.host);
      const rows = await readLast(selection, isFiltered);
      const shown = isFiltered ? rows : rows.map(withChannel);
      return (await listedClicks(database, deps.shortHost, shown)).filter((click) => click !== null);
    };
    return isFiltered ? withReportSlot(deps.pool, account.id, true, read) : inSnapshot(deps.pool, read);
  });

async function readLast(selection: Selection, isFiltered: boolean): Promise<ClickRow[]> {
  const { database, condition, kind, values } = selection;
  const last = (conditions: string, count: number, selected: string) =>
    `select ${selected} from clicks where ${conditions} and ${kind} order by id desc limit ${count}`;
  const all = "id, account_number, link_id, client_id, referrer_id, variant, campaign_id, bot_id, place_id";
  const { rows } = await database.query<StoredClick>({
    ...(!isFiltered && { name: "last-clicks" }),
    text: isFiltered
      ? `select ${storedColumns} from (${last("account_number = $1", maxSearched, all)}) t
         where ${condition} order by id desc limit ${maxClicks}`
      : last(condition, maxClicks, storedColumns),
    values: [...values],
  });
  const packed = await lastInBlocks(selection, {
    since: rows.length < maxClicks ? 0 : timeOfId(rows.at(-1)?.id ?? ""),
    searched: isFiltered ? maxSearched : maxClicks,
    wanted: maxClicks,
  });
  return (await withLabels(database, [...rows, ...packed], "desc")).slice(0, maxClicks);
}

const follow = z
  .boolean({ error: "must be true or false" })
  .meta({ description: "false ends the stream once everything missed since the last event is sent" })
  .default(true);

export const live = requires("realtime")
  .meta({
    scope: "analytics:read",
    route: "GET /v1/analytics/live",
    tag: "Analytics",
    summary: "Follow clicks",
    description: `Server-sent events: \`click\` carries a click as in the list of the last clicks. With the id of an event, the stream continues after it; each click is sent once. ${filterNote}`,
    successDescription:
      "Events `click`, `ready` once everything missed is sent, `skipped` with the number of clicks left out, and `end` with the reason",
    successContent: { "text/event-stream": z.string() },
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
    throw refusal(
      "BAD_REQUEST",
      "Last-Event-ID",
      "invalid_format",
      "must be the id of an event of this stream, or of a click",
      {
        format: "event_id",
      },
    );
  return cursor;
}

/** Milliseconds after which browsers connect again */
const retryMs = 2000;

/** Events as text/event-stream (HTML standard, section 9.2). The text of an event is one piece. */
function serverSentEvents(events: AsyncIterableIterator<LiveEvent>): AsyncIterableIterator<string> {
  let isBegun = false;
  const texts: AsyncIterableIterator<string> = {
    async next() {
      if (!isBegun) {
        isBegun = true;
        return { done: false, value: `retry: ${retryMs}\n\n` };
      }
      const { done, value } = await events.next();
      return done ? { done: true, value: undefined } : { done: false, value: textOf(value) };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => texts,
  };
  return texts;
}

/** A heartbeat has an id and no data, so clients note the id only. */
function textOf(event: LiveEvent): string {
  if (event.name === "heartbeat") return `id: ${event.id}\n\n`;
  const id = "id" in event ? `id: ${event.id}\n` : "";
  return `${id}event: ${event.name}\ndata: ${JSON.stringify(dataOf(event))}\n\n`;
}

function dataOf(event: Exclude<LiveEvent, { name: "heartbeat" }>): unknown {
  if (event.name === "click") return event.click;
  if (event.name === "skipped") return { clicks: event.clicks };
  return event.name === "end" ? { reason: event.reason } : {};
}
