import type { PoolClient } from "pg";
import { campaignDimensions, channelOf, clientDimensions, timeOfId } from "../clicks/index.ts";
import type { Deps } from "../deps.ts";
import { labelOf, unknown } from "./breakdowns.ts";
import type { Cell, Writer } from "./export-format.ts";
import { Fragments } from "./fragments.ts";
import type { Window } from "./periods.ts";
import { literalCondition } from "./questions/conditions.ts";
import type { Filters } from "./questions/question.ts";
import { accountScope } from "./series.ts";
import { idsOf } from "./sql.ts";
import { namedLinks } from "./top-links.ts";

/** Rows per fetch, few enough that redirects hardly wait for them, and the approximate length of a chunk. */
const rowsPerFetch = 500;
const pieceLength = 256 * 1024;

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
} as const;
export const exportColumns: readonly string[] = Object.values(columns).flat();

interface Row {
  id: string;
  link_id: string;
  client_id: number;
  referrer_id: number;
  campaign_id: number | null;
  bot_id: number | null;
  is_unique: boolean;
}

/** How far a file was yielded: the id of its last row so far; null before the first. */
export interface Place {
  after: string | null;
}

/**
 * Yields a file with an account's clicks in a window that fit filters, without bots, oldest first, in pieces. After a failure,
 * the same `place` continues the file.
 */
export async function* exportPieces(
  database: PoolClient,
  deps: Deps,
  accountId: string,
  { from, to }: Pick<Window, "from" | "to">,
  writer: Writer,
  filters: Filters = [],
  place: Place = { after: null },
): AsyncGenerator<string, void> {
  const condition = await literalCondition(database, accountScope(accountId), filters, deps.shortHost.host);
  await declareCursor(database, condition, [from, to], place);
  const fragments = fragmentsOf(database, deps, writer, filters.length > 0);
  const isBegun = place.after !== null;
  let piece = isBegun ? "" : writer.head(exportColumns);
  let between = isBegun ? writer.between : "";
  for (;;) {
    const { rows } = await database.query<Row>(`fetch ${rowsPerFetch} from exported`);
    await fragments.load(rows);
    for (const row of rows) {
      const timestamp = new Date(timeOfId(row.id)).toISOString();
      piece += between + writer.row(timestamp, fragments.of(row), row.is_unique, fragments.lastOf(row));
      between = writer.between;
      if (piece.length < pieceLength) continue;
      place.after = row.id;
      yield piece;
      piece = "";
    }
    if (rows.length < rowsPerFetch) break;
  }
  yield piece + writer.tail;
}

/** Reads rows in the order of the index, without a join, which would have to read all of them first. */
async function declareCursor(
  database: PoolClient,
  condition: string,
  window: [number, number],
  { after }: Place,
): Promise<void> {
  const [first, until] = idsOf(window);
  await database.query(
    `declare exported no scroll cursor for
     select id, link_id, client_id, referrer_id, campaign_id, bot_id, is_unique from clicks
     where ${condition} and id >= ${first} and id < ${until}
       ${after === null ? "" : `and id > ${after}`} order by id`,
  );
}

/** With a filter, a click's channel is the stored one, by which the filter selects; otherwise that of its referrer. */
function fragmentsOf(database: PoolClient, deps: Deps, { fragment }: Writer, isFiltered: boolean) {
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
  const noCampaign = fragment(plainly(columns.campaign)([]));
  const noBot = fragment(plainly(columns.bot)([]));
  const idsIn = (ids: readonly (number | null)[]) => ids.filter((id) => id !== null);
  return {
    async load(rows: readonly Row[]): Promise<void> {
      await links.load(rows.map(({ link_id }) => link_id));
      await clients.load(rows.map(({ client_id }) => client_id));
      await referrers.load(rows.map(({ referrer_id }) => referrer_id));
      await channels.load(rows.map(({ referrer_id }) => referrer_id));
      await campaigns.load(idsIn(rows.map(({ campaign_id }) => campaign_id)));
      await bots.load(idsIn(rows.map(({ bot_id }) => bot_id)));
    },
    of: ({ link_id, client_id, referrer_id }: Row) =>
      `${links.of(link_id)},${clients.of(client_id)},${referrers.of(referrer_id)}`,
    lastOf: ({ referrer_id, campaign_id, bot_id }: Row) =>
      `${channels.of(referrer_id)},${campaign_id === null ? noCampaign : campaigns.of(campaign_id)},${bot_id === null ? noBot : bots.of(bot_id)}`,
  };
}
