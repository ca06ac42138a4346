import type { PoolClient } from "pg";
import { none, type NumberColumn } from "../../clicks/blocks/block.ts";
import { channelOf } from "../../clicks/derive/referrer.ts";
import { campaignDimensions, placeDimensions } from "../../clicks/dimension-names.ts";
import { clientDimensions } from "../../clicks/dimensions.ts";
import { sqlArray } from "../../db/arrays.ts";
import { labelOf, unknown } from "../breakdowns/lists.ts";
import type { AnalyticsDeps } from "../call.ts";
import type { ClickBatch, Coded } from "./clicks-in-order.ts";
import { linkRows } from "../breakdowns/top-links.ts";

export type Cell = readonly [name: string, text: string];

/** The columns in order. Those of a part but the click's and the visitor's are cells that many rows share. */
export const exportParts = {
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
export const exportColumns: readonly string[] = Object.values(exportParts).flat();

/** Parts that clicks have in common with others. */
export type SharedPart = Exclude<keyof typeof exportParts, "click" | "visitor">;

/** The cells of a part: its values, and of each click of a batch the place of its own. */
export interface SharedColumn<Value> {
  values: readonly Value[];
  places: ArrayLike<number>;
}
export type SharedCells<Value> = Readonly<Record<SharedPart, SharedColumn<Value>>>;

/**
 * Returns what reads the cells of batches, put together by `fragment` for each value of a part. With a filter, a click's channel is
 * the stored one, by which the filter selects; otherwise that of its referrer.
 */
export function createCells<Value extends { readonly length: number }>(
  database: PoolClient,
  deps: AnalyticsDeps,
  isFiltered: boolean,
  fragment: (cells: readonly Cell[]) => Value,
  lengthOf?: (value: Value) => number,
): (batch: ClickBatch) => Promise<SharedCells<Value>> {
  const links = new Fragments<string, Value>(async (ids) => {
    const cellsOf = (link_id: string, slug: string, domain: string, destination: string) => {
      const cells = { link_id, slug, domain, destination };
      return [link_id, fragment(exportParts.link.map((name): Cell => [name, cells[name]]))] as const;
    };
    const rows = await linkRows(database, ids);
    const { host } = deps.shortHost;
    const found = rows.map(({ id, slug, domain, destination }) =>
      cellsOf(id, slug, domain ?? host, destination),
    );
    const known = new Set(rows.map(({ id }) => id));
    const missing = ids.filter((id) => !known.has(id));
    return [...found, ...missing.map((id) => cellsOf(id, "", "", ""))];
  }, lengthOf);
  const labels = (names: readonly string[]) => (texts: readonly string[]) =>
    names.map((name, at): Cell => [name, labelOf(name, texts[at] ?? "")]);
  /** Of ids that the database has lost */
  const lost = <Id>(ids: readonly Id[], names: readonly string[]) => {
    const cells = fragment(names.map((name): Cell => [name, unknown]));
    return ids.map((id) => [id, cells] as const);
  };
  const dictionary = (
    table: string,
    names: readonly string[],
    cells = names,
    cellsOf: (texts: readonly string[]) => Cell[] = labels(names),
  ) =>
    new Fragments<number, Value>(async (ids) => {
      const { rows } = await database.query<[id: number, ...texts: string[]]>({
        name: `exported-${table}-${names.at(-1)}`,
        text: `select id, ${names.join()} from ${table} where id = any($1::int[])`,
        values: [sqlArray(ids)],
        rowMode: "array",
      });
      const found = rows.map(([id, ...texts]) => [id, fragment(cellsOf(texts))] as const);
      return [...lost(ids, cells), ...found];
    }, lengthOf);
  const clients = dictionary("click_clients", exportParts.client);
  const referrers = dictionary("click_referrers", exportParts.referrer);
  const channels = dictionary(
    "click_referrers",
    ["referrer", "channel"],
    exportParts.channel,
    ([referrer = "", channel]) => [
      ["channel", isFiltered ? labelOf("channel", channel ?? "") : channelOf(referrer)],
    ],
  );
  const plainly = (names: readonly string[]) => (texts: readonly string[]) =>
    names.map((name, at): Cell => [name, texts[at] ?? ""]);
  const campaigns = dictionary(
    "click_campaigns",
    exportParts.campaign,
    exportParts.campaign,
    plainly(exportParts.campaign),
  );
  const bots = dictionary("click_bots", exportParts.bot, exportParts.bot, plainly(exportParts.bot));
  const places = dictionary("click_places", exportParts.place);
  const noPlace = fragment(labels(exportParts.place)([]));
  const noCampaign = fragment(plainly(exportParts.campaign)([]));
  const noBot = fragment(plainly(exportParts.bot)([]));
  const numbered = new Fragments<number, Value>(async (numbers) => {
    const { rows } = await database.query<{ id: number; link: string }>({
      name: "links-of-numbers",
      text: "select id, value as link from click_values where id = any($1::int[])",
      values: [sqlArray(numbers)],
    });
    await links.load(rows.map(({ link }) => link));
    return [...lost(numbers, exportParts.link), ...rows.map(({ id, link }) => [id, links.of(link)] as const)];
  }, lengthOf);
  const nothing = fragment([]);
  const present = <Id extends string | number>(columns: readonly Coded<Id>[]): Id[] => {
    const ids: Id[] = [];
    for (const { values } of columns)
      for (let at = 0; at < values.length; at++) if (values[at] !== none) ids.push(values[at] as Id);
    return ids;
  };
  const loaded = async <Id extends string | number>(
    fragments: Fragments<Id, Value>,
    column: Coded<Id>,
    absent = nothing,
  ): Promise<SharedColumn<Value>> => {
    const ids = column.values;
    const values: Value[] = [];
    // Nearly all are known, most of them from `loadTogether`.
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as Id;
      const value = id === none ? absent : fragments.get(id);
      if (value === undefined) {
        await fragments.load(present([column]));
        const all = Array.from(ids, (each) => (each === none ? absent : fragments.of(each)));
        return { values: all, places: column.positions };
      }
      values.push(value);
    }
    return { values, places: column.positions };
  };

  /** Looks the values of small blocks up at once, since each look-up is a round trip to the database. */
  async function loadTogether(batches: readonly ClickBatch[]): Promise<void> {
    const idsIn = (name: NumberColumn) => present(batches.map((batch) => batch.column(name)));
    await numbered.load(present(batches.map(({ links: column }) => column as Coded<number>)));
    await clients.load(idsIn("client"));
    await referrers.load(idsIn("referrer"));
    await channels.load(idsIn("referrer"));
    await campaigns.load(idsIn("campaign"));
    await bots.load(idsIn("bot"));
    await places.load(idsIn("place"));
  }

  let lastTogether: ClickBatch["together"];
  async function read(batch: ClickBatch): Promise<SharedCells<Value>> {
    const { together } = batch;
    if (together !== undefined && together !== lastTogether) {
      lastTogether = together;
      await loadTogether(together);
    }
    const referrer = batch.column("referrer");
    const isNumbered = typeof batch.links.values[0] === "number";
    return {
      link: await (isNumbered
        ? loaded(numbered, batch.links as Coded<number>)
        : loaded(links, batch.links as Coded<string>)),
      client: await loaded(clients, batch.column("client")),
      referrer: await loaded(referrers, referrer),
      channel: await loaded(channels, referrer),
      campaign: await loaded(campaigns, batch.column("campaign"), noCampaign),
      bot: await loaded(bots, batch.column("bot"), noBot),
      place: await loaded(places, batch.column("place"), noPlace),
    };
  }

  const known = new WeakMap<ClickBatch, Promise<SharedCells<Value>>>();
  return (batch) => {
    const reading = known.get(batch) ?? read(batch);
    known.set(batch, reading);
    return reading;
  };
}

/** Maximum of cached characters, apart from those of the last `load`. */
const maxLength = 4_000_000;

/**
 * Caches the cells of links, clients or referrers by id, as a format has them. Its size is bounded, since an export can have any
 * number of rows; most of them share their cells with earlier rows.
 */
class Fragments<Id extends string | number, Value extends { readonly length: number } = string> {
  readonly #read: (ids: Id[]) => Promise<Iterable<readonly [Id, Value]>>;
  readonly #lengthOf: (value: Value) => number;
  readonly #known = new Map<Id, Value>();
  #length = 0;

  constructor(
    read: (ids: Id[]) => Promise<Iterable<readonly [Id, Value]>>,
    lengthOf: (value: Value) => number = ({ length }) => length,
  ) {
    this.#read = read;
    this.#lengthOf = lengthOf;
  }

  /** Loads the fragments of these ids, if they are missing. */
  async load(ids: readonly Id[]): Promise<void> {
    let missing = new Set<Id>();
    for (const id of ids) if (!this.#known.has(id)) missing.add(id);
    if (missing.size === 0) return;
    if (this.#length > maxLength) {
      this.#known.clear();
      this.#length = 0;
      missing = new Set(ids);
    }
    for (const [id, fragment] of await this.#read([...missing])) {
      this.#known.set(id, fragment);
      this.#length += this.#lengthOf(fragment);
    }
  }

  /** Undefined for an id that was not loaded, or is no longer kept. */
  get(id: Id): Value | undefined {
    return this.#known.get(id);
  }

  /** Throws for an id that was not in the last `load`. */
  of(id: Id): Value {
    const fragment = this.#known.get(id);
    if (fragment === undefined) throw new Error(`The fragment of ${id} was not loaded`);
    return fragment;
  }
}
