import { issue, type IssueCode, type IssueParams } from "../../kernel/issues.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Base } from "../../db/base.ts";
import { AppError } from "../../kernel/errors.ts";
import { accountScope, countsBots, type Filters } from "../question.ts";
import { numberOf, selectionOf } from "../questions/conditions.ts";
import { type Opener, openerOf, stillValid } from "./credentials.ts";
import { type Cursor, cursorAt, idOfClick, idOfCursor, idOfTime, isAfter } from "./cursor.ts";
import { type NewClicks, readNewClicks, type Wanted } from "./new-clicks.ts";
import { type LiveEvent, type LiveFeed, Reader } from "./stream.ts";
import { listedClicks, type StoredClick, storedColumns, withLabels } from "./listed-clicks.ts";

/** Streams of one account and of all, in one process */
const maxPerAccount = 20;
const maxStreams = 1000;

/** Milliseconds between two looks for new clicks, and between two checks of credentials. */
const pollMs = 1000;
const checkMs = 3000;
/** After slow looks, the pause is this many times their duration; a single one may have waited for something else. */
const pauseFactor = 20;
const maxPauseMs = 30_000;

/** An older cursor is from a client that was disconnected for long. */
const maxAwayMs = 15 * 60_000;

type LiveDeps = Pick<Base, "pool" | "clock" | "plans" | "shortHost">;

interface Stream {
  reader: Reader;
  filters: Filters;
  opener: Opener;
  /** What the client had from a node that was ahead is not sent again; null when this node is as far. */
  after: Cursor | null;
}

/** All streams of an account, which share the look for new clicks. */
interface AccountFeed {
  id: string;
  number: number;
  streams: Set<Stream>;
  /** All transactions before it were looked at, at this time; null before the first look */
  place: Place | null;
}

interface Place {
  xid: bigint;
  time: number;
}

/** A look for the new clicks of an account. */
interface Look {
  feed: AccountFeed;
  /** Where it begins */
  place: Place;
  /** What it has found, of bots if the key is true, else of people */
  news: Map<boolean, NewClicks>;
}

export function createLiveFeed(deps: LiveDeps): LiveFeed {
  const { pool, clock } = deps;
  const accounts = new Map<string, AccountFeed>();
  const stopping = new AbortController();
  let isRunning = false;

  const streams = () => [...accounts.values()].flatMap((account) => [...account.streams]);

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    let checked = performance.now();
    let before = 0;
    while (accounts.size > 0 && !stopping.signal.aborted) {
      const begun = performance.now();
      // The database has failed, which others report; streams continue when it is back.
      await lookForNew([...accounts.values()]).catch(() => {});
      if (begun - checked >= checkMs) {
        checked = begun;
        await endRefused().catch(() => {});
      }
      const took = performance.now() - begun;
      const pause = Math.min(maxPauseMs, Math.max(pollMs, pauseFactor * Math.min(took, before)));
      before = took;
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
    isRunning = false;
  }

  /** Looks for new clicks of accounts, and sends them. */
  async function lookForNew(feeds: readonly AccountFeed[]): Promise<void> {
    const time = clock().getTime();
    const looks = feeds.flatMap((feed): Look[] =>
      feed.place === null ? [] : [{ feed, place: feed.place, news: new Map() }],
    );
    const parts = looks.flatMap((look) =>
      [...kindsOf(look.feed)].map((isBot) => ({ look, isBot, wanted: wantedOf(look, isBot, null) })),
    );
    const { horizon, top, found } = await readNewClicks(
      pool,
      parts.map(({ wanted }) => wanted),
    );
    for (const [at, { look, isBot }] of parts.entries()) look.news.set(isBot, found[at] as NewClicks);
    let failure: unknown;
    for (const look of looks) {
      try {
        await send(look, { xid: horizon, time }, top);
      } catch (error) {
        // The account's place stays, so that the next look finds these clicks again. Other accounts do not wait for it.
        failure ??= error;
      }
    }
    for (const feed of feeds) feed.place ??= { xid: horizon, time };
    if (failure !== undefined) throw failure;
  }

  /** Sends the clicks that a look has found to all streams of the account, including those opened since. */
  async function send(look: Look, place: Place, top: bigint): Promise<void> {
    const { feed } = look;
    const isLost = look.place.xid > top;
    const events = new Map<string, LiveEvent[]>();
    while (!isLost) {
      const next = [...feed.streams].find(({ filters }) => !events.has(keyOf(filters)));
      if (!next) break;
      const news = await newsOf(look, countsBots(next.filters), place.xid);
      events.set(keyOf(next.filters), await eventsOf(deps, feed.id, next.filters, news));
    }
    // Must not be interrupted: a new stream begins at the account's place.
    for (const stream of feed.streams) {
      const found = isLost ? [skippedUnknown] : (events.get(keyOf(stream.filters)) ?? []);
      stream.reader.push(found.filter((event) => isNew(event, stream.after, top)));
      if (isLost || (stream.after !== null && stream.after.xid < place.xid)) stream.after = null;
    }
    if (isLost || look.place.xid < place.xid) feed.place = place;
  }

  /** The new clicks of a kind, which are read if no stream needed them when the look began. */
  async function newsOf(look: Look, isBot: boolean, until: bigint): Promise<NewClicks> {
    const known = look.news.get(isBot);
    if (known) return known;
    const { found } = await readNewClicks(pool, [wantedOf(look, isBot, until)]);
    const news = found[0] as NewClicks;
    look.news.set(isBot, news);
    return news;
  }

  /** Ends streams whose credential is no longer valid. */
  async function endRefused(): Promise<void> {
    const open = streams();
    const valid = await stillValid(
      deps,
      open.map(({ opener }) => opener),
    );
    for (const { reader, opener } of open)
      if (!valid.includes(opener)) reader.end("The credential of this stream has ended");
  }

  /** The events between the cursor and the place where a stream begins. */
  async function missed(
    feed: AccountFeed,
    after: Cursor,
    until: bigint,
    filters: Filters,
  ): Promise<{ events: LiveEvent[]; isLost: boolean }> {
    const earliest = cursorAt(0n, clock().getTime() - maxAwayMs).from;
    const { top, found } = await readNewClicks(pool, [
      {
        account: feed.number,
        after: after.from < earliest ? { ...after, from: earliest } : after,
        until,
        isBot: countsBots(filters),
      },
    ]);
    const events = await eventsOf(deps, feed.id, filters, found[0] as NewClicks);
    // From another database, such as one before a restored backup.
    const isLost = after.xid > top;
    return { isLost, events: isLost || after.from < earliest ? [skippedUnknown, ...events] : events };
  }

  return {
    async open(actor, { filters, after, follow }) {
      if (stopping.signal.aborted) throw unavailable("unavailable", "The service is stopping");
      const { id } = actor.account;
      const number = await numberOf(pool, id);
      const feed = accounts.get(id) ?? { id, number, streams: new Set(), place: null };
      if (feed.streams.size >= maxPerAccount)
        throw unavailable(
          "limit_reached",
          `The account has ${maxPerAccount} live streams open; close one of them`,
          { max: maxPerAccount, resource: "live_streams" },
        );
      if (streams().length >= maxStreams)
        throw unavailable("busy", "Too many live streams are open", { work: "live_streams" });
      const reader = new Reader(
        () => (feed.place ? idAt(feed.place, stream.after) : ""),
        () => {
          feed.streams.delete(stream);
          if (feed.streams.size === 0) accounts.delete(feed.id);
        },
      );
      const stream: Stream = { reader, filters, opener: openerOf(actor), after };
      feed.streams.add(stream);
      accounts.set(id, feed);
      try {
        if (feed.place === null) await lookForNew([feed]);
        const { place } = feed;
        if (place === null) throw new Error("The account was not looked at");
        const { events, isLost } = after
          ? await missed(feed, after, place.xid, filters)
          : { events: [], isLost: false };
        if (isLost) stream.after = null;
        reader.begin([...events, { name: "ready", id: idAt(place, isLost ? null : after) }]);
      } catch (error) {
        reader.end();
        throw error;
      }
      if (follow) void run();
      else reader.end();
      return reader;
    },

    end() {
      stopping.abort();
      for (const { reader } of streams()) reader.end("The service is stopping; connect again");
    },
  };
}

/** Continues after a place, or after what the client has already if that is more. */
const idAt = ({ xid, time }: Place, after: Cursor | null): string =>
  after !== null && after.xid >= xid ? idOfCursor(after, time) : idOfTime(xid, time);

/** A cursor that is ahead of the database is from another one. */
const isNew = (event: LiveEvent, after: Cursor | null, top: bigint): boolean =>
  event.name !== "click" || after === null || after.xid > top || isAfter(event.id, after);

const wantedOf = ({ feed, place }: Look, isBot: boolean, until: bigint | null): Wanted => ({
  account: feed.number,
  after: cursorAt(place.xid, place.time),
  until,
  isBot,
});

/** Whether streams need clicks of bots, of people, or both. */
const kindsOf = ({ streams }: AccountFeed) =>
  new Set(Array.from(streams, ({ filters }) => countsBots(filters)));

const keyOf = (filters: Filters) => JSON.stringify(filters);
const skippedUnknown: LiveEvent = { name: "skipped", clicks: null };
const unavailable = (code: IssueCode, message: string, params?: IssueParams) =>
  new AppError("SERVICE_UNAVAILABLE", issue("", code, message, { ...params, seconds: 5 }), { retryAfter: 5 });

/** The events of new clicks that fit filters. */
async function eventsOf(
  { pool, shortHost }: Pick<Base, "pool" | "shortHost">,
  accountId: string,
  filters: Filters,
  { clicks, skipped }: NewClicks,
): Promise<LiveEvent[]> {
  if (clicks.length === 0) return [];
  const scope = accountScope(accountId);
  const { condition, kind, values } = await selectionOf(pool, scope, filters, shortHost.host);
  const { rows } = await pool.query<StoredClick & { xmin: string }>(
    `select ${storedColumns}, xmin from clicks
     where ${condition} and ${kind} and id = any ($${values.length + 1}::bigint[]) order by id`,
    [...values, clicks.map(({ id }) => id)],
  );
  const listed = await listedClicks(pool, shortHost, await withLabels(pool, rows, "asc"));
  // Two drains may have used the same id, in two transactions.
  const fitting = new Map(rows.map(({ xmin, id }, at) => [keyOfRow(xmin, id), listed[at]]));
  return [
    ...(skipped > 0 ? [{ name: "skipped", clicks: filters.length > 0 ? null : skipped } as const] : []),
    ...clicks.flatMap(({ xid, id }): LiveEvent[] => {
      const click = fitting.get(keyOfRow(xid, id));
      return click ? [{ name: "click", id: idOfClick(xid, id), click }] : [];
    }),
  ];
}

/** `xid` may lack its upper half, as it does in rows. */
const keyOfRow = (xid: string, id: string) => `${BigInt.asUintN(32, BigInt(xid))}-${id}`;
