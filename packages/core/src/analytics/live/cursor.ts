import { refused } from "../../kernel/validation/issues.ts";
import * as z from "zod";
import { firstIdAt, timeOfId } from "../../clicks/click-id.ts";

/**
 * How far a stream has come. Clicks are sent in the order of the transactions that stored them, and of their ids within one,
 * so a click that is counted late is neither left out nor sent twice.
 */
export interface Cursor {
  /** The transaction of the last click that was sent, and that click's id */
  xid: bigint;
  id: bigint;
  /** The smallest id that is looked for */
  from: bigint;
}

/** The greatest bigint of PostgreSQL: all clicks of a transaction */
const allOf = 2n ** 63n - 1n;

/** Clicks counted later than this after they happened are not streamed; milliseconds. */
const latestMs = 5 * 60_000;

/** After all transactions before `xid`, at a time in milliseconds since the epoch. */
export const cursorAt = (xid: bigint, time: number): Cursor => ({
  xid: xid - 1n,
  id: allOf,
  from: firstIdAt(Math.max(0, time - latestMs)),
});

/** The id of an event with a click. */
export const idOfClick = (xid: string, click: string): string => `${xid}-${click}`;

/** The id of an event without one, after all transactions before `xid`. */
export const idOfTime = (xid: bigint, time: number): string => `${xid}@${Math.floor(time)}`;

/** The id of an event that continues after a cursor; `time` is not after the clicks to find. */
export const idOfCursor = ({ xid, id }: Cursor, time: number): string =>
  id === allOf ? idOfTime(xid + 1n, time) : idOfClick(String(xid), String(id));

/** Whether the id of an event is after a cursor. */
export function isAfter(eventId: string, { xid, id }: Cursor): boolean {
  const event = parseCursor(eventId);
  return event !== null && (event.xid > xid || (event.xid === xid && event.id > id));
}

const form = /^(?:(?<xid>\d{1,18})(?:-(?<click>\d{1,19})|@(?<time>\d{1,14}))|(?<only>\d{1,19}))$/;

/**
 * Reads the id of an event; null if the text is not one. The id of a click alone stands for all clicks with greater
 * ids.
 */
export function parseCursor(text: string): Cursor | null {
  const { xid = "", click, time, only } = form.exec(text)?.groups ?? {};
  const id = BigInt(click ?? only ?? 0);
  if ((click ?? time ?? only) === undefined || id >= allOf) return null;
  if (only !== undefined) return { xid: 0n, id: 0n, from: id + 1n };
  if (time !== undefined) {
    const cursor = cursorAt(BigInt(xid), Number(time));
    return cursor.from < allOf ? cursor : null;
  }
  return { ...cursorAt(0n, timeOfId(String(id))), xid: BigInt(xid), id };
}

export const lastEventId = z
  .string()
  .refine(
    (text) => parseCursor(text) !== null,
    refused("invalid_format", "must be the id of an event of this stream, or of a click", {
      format: "event_id",
    }),
  )
  .meta({
    description:
      "Continues after the event or click with this id. The header Last-Event-ID, which browsers send when they reconnect, takes precedence",
    examples: ["731-1850000000000000000"],
  })
  .optional();
