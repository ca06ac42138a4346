import type { PoolClient } from "pg";
import { none } from "../../clicks/blocks/block.ts";
import type { ClickHouseClicks } from "../../clicks/clickhouse/copy.ts";
import { channelOf } from "../../clicks/derive/referrer.ts";
import { campaignDimensions, placeDimensions } from "../../clicks/dimension-names.ts";
import { clientDimensions } from "../../clicks/dimensions.ts";
import { sqlArray } from "../../db/arrays.ts";
import type { ShortHost } from "../../kernel/host-names.ts";
import { labelOf, unknown } from "../breakdowns/lists.ts";
import { textsOf } from "../breakdowns/from-rollups.ts";
import { namedLinks } from "../breakdowns/top-links.ts";
import { accountScope, type Filters, type TimeRange } from "../question.ts";
import { selectionOf, withoutParameters } from "../questions/conditions.ts";
import {
  type ClickBatch,
  type ClickPosition,
  clicksInOrder,
  type Coded,
  type Run,
} from "./clicks-in-order.ts";

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

/** By part the cells of a batch's clicks, as a format has them. */
export type SharedCells<Value> = Readonly<Record<SharedPart, Coded<Value>>>;

/** How far a file has been yielded: its last row so far; null before the first. */
export interface FilePosition {
  after: ClickPosition | null;
}

/**
 * The clicks of a file: those of people in a window that match filters, from the copy in ClickHouse or from the
 * database.
 */
export interface ExportQuestion {
  accountId: string;
  window: TimeRange;
  filters: Filters;
  copy: ClickHouseClicks | null;
  position: FilePosition;
}

/**
 * Yields clicks after a position, oldest first, with their cells, put together by `fragment` for each value of a part. With a filter,
 * a click's channel is the stored one, by which the filter selects; otherwise that of its referrer.
 */
export async function* clicksWithCells<Value>(
  database: PoolClient,
  shortHost: ShortHost,
  { accountId, window: { from, to }, filters, copy, position }: ExportQuestion,
  fragment: (cells: readonly Cell[]) => Value,
): AsyncGenerator<{ run: Run; cells: SharedCells<Value> }, void> {
  const selection = await selectionOf(database, accountScope(accountId), filters, shortHost.host, copy);
  const query = { selection: await withoutParameters(selection), from, to, after: position.after };
  const parts = fragmentsByPart(database, shortHost, filters.length > 0, fragment);
  const known = new WeakMap<ClickBatch, SharedCells<Value>>();
  let loaded: ClickBatch["together"];
  for await (const run of clicksInOrder(database, query)) {
    const { batch } = run;
    let cells = known.get(batch);
    if (cells === undefined) {
      // The values of small blocks are looked up at once, since each look-up is a round trip to the database.
      const { together } = batch;
      if (together !== undefined && together !== loaded) {
        loaded = together;
        for (const [part, fragments] of parts)
          await fragments.load(together.map((each) => columnOf(each, part)));
      }
      const columns: [SharedPart, Coded<Value>][] = [];
      for (const [part, fragments] of parts)
        columns.push([part, await fragments.column(columnOf(batch, part))]);
      cells = Object.fromEntries(columns) as SharedCells<Value>;
      known.set(batch, cells);
    }
    yield { run, cells };
  }
}

/** A link's UUID, or a number of a dictionary. */
type Id = string | number;

const columnOf = (batch: ClickBatch, part: SharedPart): Coded<Id> =>
  part === "link" ? batch.links : batch.column(part === "channel" ? "referrer" : part);

/** Look-ups for the cells of each part. */
function fragmentsByPart<Value>(
  database: PoolClient,
  shortHost: ShortHost,
  isFiltered: boolean,
  fragment: (cells: readonly Cell[]) => Value,
) {
  const dictionary = (
    part: SharedPart,
    table: string,
    label: (name: string, text: string) => string = labelOf,
    columns: readonly string[] = exportParts[part],
  ) => {
    const read = async (ids: readonly Id[]) => {
      const { rows } = await database.query<[id: number, ...texts: string[]]>({
        name: `exported-${table}-${columns.at(-1)}`,
        text: `select id, ${columns.join()} from ${table} where id = any($1::int[])`,
        values: [sqlArray(ids)],
        rowMode: "array",
      });
      return new Map(
        rows.map(([id, ...texts]) => [id, exportParts[part].map((name, at) => label(name, texts[at] ?? ""))]),
      );
    };
    const absent = exportParts[part].map((name) => label(name, ""));
    return [part, cachedFragments(exportParts[part], fragment, read, absent)] as const;
  };
  const asStored = (_name: string, text: string) => text;
  return [
    [
      "link",
      cachedFragments(exportParts.link, fragment, (ids) => readLinks(database, shortHost, ids)),
    ] as const,
    dictionary("client", "click_clients"),
    dictionary("referrer", "click_referrers"),
    isFiltered
      ? dictionary("channel", "click_referrers")
      : dictionary("channel", "click_referrers", (_name, referrer) => channelOf(referrer), ["referrer"]),
    dictionary("campaign", "click_campaigns", asStored),
    dictionary("bot", "click_bots", asStored),
    dictionary("place", "click_places"),
  ];
}

/** The texts of links by their UUIDs, or by their numbers in `click_values`. */
async function readLinks(
  database: PoolClient,
  shortHost: ShortHost,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, readonly string[]>> {
  const numbers = ids.filter((id) => typeof id === "number");
  const uuids = ids.filter((id) => typeof id === "string");
  const uuidOf = new Map<Id, string>([
    ...uuids.map((id) => [id, id] as const),
    ...(await textsOf(database, numbers)),
  ]);
  const links = await namedLinks(database, shortHost, [...new Set(uuidOf.values())]);
  return new Map(
    Array.from(uuidOf, ([id, uuid]) => {
      const { slug = "", domain = "", destination = "" } = links.get(uuid) ?? {};
      return [id, [uuid, slug, domain, destination]];
    }),
  );
}

/** Maximum of cached characters, apart from those of the last `load`. */
const maxLength = 4_000_000;

/**
 * Caches the cells of a part by id, as a format has them; `absent` are the texts of clicks without an id. Its size is bounded, since
 * an export can have any number of rows; most of them share their cells with earlier rows.
 */
function cachedFragments<Value>(
  names: readonly string[],
  fragment: (cells: readonly Cell[]) => Value,
  read: (ids: readonly Id[]) => Promise<ReadonlyMap<Id, readonly string[]>>,
  absent: readonly string[] = [],
) {
  const known = new Map<Id, Value>();
  let length = 0;

  /** Everything about ids that the database has lost is unknown. */
  function fragmentOf(texts: readonly string[] = []): Value {
    const cells = names.map((name, at): Cell => [name, texts[at] ?? unknown]);
    for (const [name, text] of cells) length += name.length + text.length;
    return fragment(cells);
  }
  const ofNone = fragmentOf(absent);

  /** Loads the fragments of all ids in some columns, if they are missing. */
  async function load(columns: readonly Coded<Id>[]): Promise<void> {
    const missing = new Set<Id>();
    for (const { values } of columns) {
      for (let at = 0; at < values.length; at++) {
        const id = values[at] as Id;
        if (id !== none && !known.has(id)) missing.add(id);
      }
    }
    if (missing.size > 0 && length > maxLength) {
      known.clear();
      length = 0;
      await load(columns);
    } else if (missing.size > 0) {
      const found = await read([...missing]);
      for (const id of missing) known.set(id, fragmentOf(found.get(id)));
    }
  }

  return {
    load,
    async column(column: Coded<Id>): Promise<Coded<Value>> {
      await load([column]);
      const values: Value[] = [];
      for (let at = 0; at < column.values.length; at++) {
        const id = column.values[at] as Id;
        values.push(id === none ? ofNone : (known.get(id) as Value));
      }
      return { positions: column.positions, values };
    },
  };
}
