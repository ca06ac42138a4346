import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { PoolClient } from "pg";
import { campaignDimensions, channelOf, clientDimensions, none, placeDimensions } from "../clicks/index.ts";
import type { ClickHouseClicks } from "../clickhouse/index.ts";
import { timeTexts } from "../kernel/time-texts.ts";
import {
  type ClickBatch,
  type ClickPosition,
  clicksInOrder,
  type Coded,
  positionAt,
  type Run,
} from "./clicks-in-order.ts";
import type { Deps } from "../deps.ts";
import { labelOf, unknown } from "./breakdowns.ts";
import type { Cell, Writer } from "./export-format.ts";
import { Fragments } from "./fragments.ts";
import type { Window } from "./periods.ts";
import { literalSelection } from "./questions/conditions.ts";
import type { Filters } from "./questions/question.ts";
import { accountScope } from "./series.ts";
import { namedLinks } from "./top-links.ts";

/** The approximate length of a piece. */
const pieceLength = 256 * 1024;
/** Milliseconds of work after which redirects may go on */
const maxMs = 5;

/** The columns in order; all except the time and the visitor's are cached as fragments. */
const columns = {
  click: ["timestamp"],
  link: ["link_id", "slug", "domain", "destination"],
  client: clientDimensions,
  referrer: ["referrer"],
  visitor: ["unique"],
  // Last, so that older columns keep their places.
  channel: ["channel"],
  campaign: campaignDimensions,
  bot: ["bot"],
  place: placeDimensions,
} as const;
export const exportColumns: readonly string[] = Object.values(columns).flat();

/** How far a file was yielded: its last row so far; null before the first. */
export interface Place {
  after: ClickPosition | null;
}

/**
 * Yields a file with an account's clicks in a window that fit filters, without bots, oldest first, in pieces. After a failure,
 * the same `place` continues the file. They are read from `copied`, or from the database.
 */
export async function* exportPieces(
  database: PoolClient,
  deps: Deps,
  accountId: string,
  { from, to }: Pick<Window, "from" | "to">,
  writer: Writer,
  filters: Filters = [],
  place: Place = { after: null },
  copied: ClickHouseClicks | null = null,
): AsyncGenerator<string, void> {
  const scope = accountScope(accountId);
  const selection = await literalSelection(database, scope, filters, deps.shortHost.host, copied);
  const cells = rowWriter(database, deps, writer, filters.length > 0);
  const isBegun = place.after !== null;
  let piece = isBegun ? "" : writer.head(exportColumns);
  let between = isBegun ? writer.between : "";
  let since = performance.now();
  for await (const run of clicksInOrder(database, { selection, from, to, after: place.after })) {
    const rowOf = await cells.rowsOf(run);
    const { batch } = run;
    for (let at = run.from; at < run.to; at++) {
      piece += between + rowOf(batch.chosen[at] as number);
      between = writer.between;
      if (piece.length < pieceLength) continue;
      place.after = positionAt(batch, at);
      yield piece;
      piece = "";
      if (performance.now() - since < maxMs) continue;
      await yieldToEventLoop();
      since = performance.now();
    }
  }
  yield piece + writer.tail;
}

/** With a filter, a click's channel is the stored one, by which the filter selects; otherwise that of its referrer. */
function rowWriter(database: PoolClient, deps: Deps, { fragment, row }: Writer, isFiltered: boolean) {
  const links = new Fragments<string>(async (ids) => {
    const named = await namedLinks(database, deps, ids);
    return ids.map((id) => {
      const cells = { slug: "", domain: "", destination: "", ...named.get(id), link_id: id };
      return [id, fragment(columns.link.map((name): Cell => [name, cells[name]]))] as const;
    });
  });
  const labels = (names: readonly string[]) => (texts: readonly string[]) =>
    names.map((name, at): Cell => [name, labelOf(name, texts[at] ?? "")]);
  /** Of ids that the database has lost */
  const lost = (ids: readonly number[], names: readonly string[]) =>
    ids.map((id) => [id, fragment(names.map((name): Cell => [name, unknown]))] as const);
  const dictionary = (
    table: string,
    names: readonly string[],
    cells = names,
    cellsOf: (texts: readonly string[]) => Cell[] = labels(names),
  ) =>
    new Fragments<number>(async (ids) => {
      const { rows } = await database.query<{ id: number; texts: string[] }>({
        name: `exported-${table}-${names.at(-1)}`,
        text: `select id, array[${names.join()}] as texts from ${table} where id = any($1::int[])`,
        values: [ids],
      });
      const found = rows.map(({ id, texts }) => [id, fragment(cellsOf(texts))] as const);
      return [...lost(ids, cells), ...found];
    });
  const clients = dictionary("click_clients", columns.client);
  const referrers = dictionary("click_referrers", columns.referrer);
  const channels = dictionary(
    "click_referrers",
    ["referrer", "channel"],
    columns.channel,
    ([referrer = "", channel]) => [
      ["channel", isFiltered ? labelOf("channel", channel ?? "") : channelOf(referrer)],
    ],
  );
  const plainly = (names: readonly string[]) => (texts: readonly string[]) =>
    names.map((name, at): Cell => [name, texts[at] ?? ""]);
  const campaigns = dictionary(
    "click_campaigns",
    columns.campaign,
    columns.campaign,
    plainly(columns.campaign),
  );
  const bots = dictionary("click_bots", columns.bot, columns.bot, plainly(columns.bot));
  const places = dictionary("click_places", columns.place);
  const noPlace = fragment(labels(columns.place)([]));
  const noCampaign = fragment(plainly(columns.campaign)([]));
  const noBot = fragment(plainly(columns.bot)([]));
  const numbered = new Fragments<number>(async (numbers) => {
    const { rows } = await database.query<{ id: number; link: string }>({
      name: "links-of-numbers",
      text: "select id, value as link from click_values where id = any($1::int[])",
      values: [numbers],
    });
    await links.load(rows.map(({ link }) => link));
    return [...lost(numbers, columns.link), ...rows.map(({ id, link }) => [id, links.of(link)] as const)];
  });
  const loaded = async <Id extends string | number>(
    fragments: Fragments<Id>,
    { values }: Coded<Id>,
    absent = "",
  ): Promise<string[]> => {
    await fragments.load(Array.from(values).filter((id) => id !== none));
    return Array.from(values, (id) => (id === none ? absent : fragments.of(id)));
  };

  /** The cells of a batch, by the places of its values. */
  async function textsOf(batch: ClickBatch) {
    const [referrer, campaign, bot, place] = [
      batch.column("referrer"),
      batch.column("campaign"),
      batch.column("bot"),
      batch.column("place"),
    ];
    const { values } = batch.links;
    return {
      link: await (typeof values[0] === "number"
        ? loaded(numbered, batch.links as Coded<number>)
        : loaded(links, batch.links as Coded<string>)),
      client: await loaded(clients, batch.column("client")),
      referrer: await loaded(referrers, referrer),
      channel: await loaded(channels, referrer),
      campaign: await loaded(campaigns, campaign, noCampaign),
      bot: await loaded(bots, bot, noBot),
      place: await loaded(places, place, noPlace),
    };
  }

  const timestampOf = timeTexts();
  const known = new WeakMap<ClickBatch, ReturnType<typeof textsOf>>();
  return {
    /** Returns what writes the row of a click of a batch. */
    async rowsOf({ batch }: Run): Promise<(click: number) => string> {
      const loading = known.get(batch) ?? textsOf(batch);
      known.set(batch, loading);
      const texts = await loading;
      const { times } = batch;
      const placesOf = {
        link: batch.links.places,
        client: batch.column("client").places,
        referrer: batch.column("referrer").places,
        campaign: batch.column("campaign").places,
        bot: batch.column("bot").places,
        place: batch.column("place").places,
      };
      const unique = batch.column("unique");
      const isUnique = Array.from(unique.values, (value) => value === 1);
      const text = (of: readonly string[], at: ArrayLike<number>, click: number) =>
        of[at[click] as number] as string;
      return (click) =>
        row(
          timestampOf(times[click] as number),
          `${text(texts.link, placesOf.link, click)},${text(texts.client, placesOf.client, click)},${text(texts.referrer, placesOf.referrer, click)}`,
          isUnique[unique.places[click] as number] as boolean,
          `${text(texts.channel, placesOf.referrer, click)},${text(texts.campaign, placesOf.campaign, click)},${text(texts.bot, placesOf.bot, click)},${text(texts.place, placesOf.place, click)}`,
        );
    },
  };
}
