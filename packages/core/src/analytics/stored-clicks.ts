import type { PoolClient } from "pg";
import { blockHeads, forEachBlock, type ReadBlock } from "../clicks/blocks/read-blocks.ts";
import { chosenIn } from "../clicks/blocks/count.ts";
import { idOf, timeOfId } from "../clicks/click-id.ts";
import { none } from "../clicks/blocks/block.ts";
import type { Selection } from "./questions/conditions.ts";

/** Raw clicks, whether they are rows or in blocks. */

export interface StoredClick {
  id: string;
  /** Null in blocks, which have the number */
  link_id: string | null;
  /** The link's id in `click_values` */
  link: number | null;
  client_id: number;
  referrer_id: number;
}

/** SQL: the columns of rows of `clicks` that make it. */
export const storedColumns = "id, link_id, null as link, client_id, referrer_id";

/** After all clicks */
const end = Date.parse("9999-12-31");

type Owner = Pick<Selection, "account" | "isBot">;

/** The last clicks in blocks that fit, among at least `searched` that are looked at, since a time. */
export async function lastInBlocks(
  database: Pick<PoolClient, "query">,
  selection: Owner & Pick<Selection, "blockConditions">,
  { since, searched, wanted }: { since: number; searched: number; wanted: number },
): Promise<StoredClick[]> {
  const heads = await blockHeads(database, {
    ...ownerOf(selection),
    from: since,
    to: end,
  });
  let found = 0;
  const days = new Set<string>();
  for (const { day, clicks } of heads.toReversed()) {
    // All clicks of a day are later than those of the day before, but not those of a part.
    if (found >= searched && !days.has(day)) break;
    days.add(day);
    found += clicks;
  }
  if (days.size === 0) return [];
  const conditions = await selection.blockConditions();
  const last: StoredClick[] = [];
  await forEachBlock(
    database,
    ownerOf(selection),
    heads.filter(({ day }) => days.has(day)),
    (read) => {
      const clicks = chosenIn(read.block, conditions, [0, read.block.count]);
      last.push(...storedClicks(read, clicks.subarray(-wanted)));
    },
    { ids: true },
  );
  return last;
}

/** People's clicks with some ids in the blocks of an account. */
export async function idsInBlocks(
  database: Pick<PoolClient, "query">,
  account: number,
  ids: readonly string[],
): Promise<StoredClick[]> {
  if (ids.length === 0) return [];
  const times = ids.map(timeOfId);
  const owner = { account, isBot: false };
  const range = { from: Math.min(...times), to: Math.max(...times) + 1 };
  const heads = (await blockHeads(database, { ...owner, ...range })).filter(({ first, last }) =>
    times.some((time) => time >= first && time <= last),
  );
  const wanted = new Set(ids);
  const wantedTimes = new Set(times);
  const found: StoredClick[] = [];
  await forEachBlock(
    database,
    owner,
    heads,
    (read) => {
      const places: number[] = [];
      for (const [place, time] of read.block.times().entries())
        if (wantedTimes.has(read.head.start + time)) places.push(place);
      found.push(...storedClicks(read, places).filter(({ id }) => wanted.has(id)));
    },
    { ids: true },
  );
  return found;
}

const ownerOf = ({ account, isBot }: Owner): Owner => ({ account, isBot });

function storedClicks({ head, block, sequences }: ReadBlock, places: Iterable<number>): StoredClick[] {
  const [times, lower] = [block.times(), sequences()];
  const valueOf = (name: "link" | "client" | "referrer", place: number) => {
    const column = block.column(name);
    return column.values[column.positions[place] as number] ?? none;
  };
  return Array.from(places, (place) => ({
    id: String(idOf(head.start + (times[place] as number), lower[place] as number)),
    link_id: null,
    link: valueOf("link", place),
    client_id: valueOf("client", place),
    referrer_id: valueOf("referrer", place),
  }));
}
