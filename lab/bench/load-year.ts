import type { Pool, PoolClient } from "pg";
import {
  type Clicks,
  type ColumnName,
  columnNames,
  none,
} from "../../packages/core/src/clicks/blocks/block.ts";
import { addBlocks } from "../../packages/core/src/clicks/blocks/write-blocks.ts";
import { createDeriver } from "../../packages/core/src/clicks/derive/derive.ts";
import {
  BatchValues,
  type Client,
  dictionaries,
  type DimensionValue,
  type Entry,
  openDictionary,
  type Referrer,
} from "../../packages/core/src/clicks/drain/prepare/value-ids.ts";
import {
  addAccountSums,
  SumsDeltas,
  monthOf,
} from "../../packages/core/src/clicks/drain/rollups/account-sums.ts";
import { ensurePartitions } from "../../packages/core/src/clicks/drain/store/partitions.ts";
import { PackedSums } from "../../packages/core/src/clicks/packed/sums.ts";
import { quoted, sqlArray, sqlColumns } from "../../packages/core/src/db/arrays.ts";
import { quarterHourMs, utcDate } from "../../packages/core/src/kernel/time.ts";
import { agentOf, clickOf, countryOf, type Visit } from "../clicks/visits.ts";

/**
 * Stores visits of whole days in blocks and sums, as if the drain had counted and then packed them, without their rows. What is
 * known of a visit is derived by the drain's own code, once for each browser in a country and for each site.
 */
export class YearLoader {
  readonly #pool: Pool;
  readonly #account: { id: string; number: number };
  readonly #links: readonly string[];
  readonly #derive = createDeriver();
  readonly #batchValues = new BatchValues();
  readonly #partitions = new Map();
  readonly #dictionaries;
  readonly #clients = new Map<string, { client: Client; bot: Entry | null }>();
  readonly #referrers = new Map<number, Referrer>();
  /** By link: clicks, and the time of the last one, in milliseconds since the epoch */
  readonly clickCounts: Float64Array;
  readonly lastClicks: Float64Array;

  /** `links` are ids, by rank. */
  constructor(pool: Pool, account: { id: string; number: number }, links: readonly string[]) {
    this.#pool = pool;
    this.#account = account;
    this.#links = links;
    this.clickCounts = new Float64Array(links.length);
    this.lastClicks = new Float64Array(links.length);
    this.#dictionaries = (["clients", "referrers", "bots", "values"] as const).map(
      (name) => [name, openDictionary(pool, dictionaries[name])] as const,
    );
  }

  /** Adds the visits of a UTC day in the order in which they were logged, on a connection that is in a transaction. */
  async addDay(database: PoolClient, start: number, visits: readonly Visit[]): Promise<void> {
    await ensurePartitions(this.#pool, [start], this.#partitions);
    const entries = visits.map((visit) => this.#entriesOf(visit));
    await this.#findIds();
    const isUnique = firstVisits(visits, (at) => entries[at]?.bot === null);
    const day: Day = { start, date: utcDate(start), visits, entries, isUnique };
    await this.#addBlocks(database, day);
    await this.#addSums(database, day);
  }

  #entriesOf(visit: Visit): Entries {
    const { link, visitor, site } = visit;
    const derived = () => this.#derive(clickOf(visit, this.#links, 0));
    const key = `${countryOf(visitor)} ${agentOf(visitor)}`;
    let known = this.#clients.get(key);
    if (known === undefined) {
      const found = derived();
      const bot = found.reason && this.#batchValues.bot(found.reason);
      this.#clients.set(key, (known = { client: this.#batchValues.client(found), bot }));
    }
    // Bots have no referrer.
    const place = known.bot === null ? site : -1;
    let referrer = this.#referrers.get(place);
    if (referrer === undefined)
      this.#referrers.set(place, (referrer = this.#batchValues.referrer(derived().referrer)));
    return { ...known, referrer, link: this.#batchValues.value("link", this.#links[link] as string) };
  }

  async #findIds(): Promise<void> {
    for (const [name, dictionary] of this.#dictionaries)
      await dictionary.findIds(Array.from<Entry>(this.#batchValues[name]).filter(({ id }) => id === 0));
  }

  async #addBlocks(database: PoolClient, { date, visits, entries, isUnique }: Day): Promise<void> {
    for (const isBot of [false, true]) {
      const chosen = [...visits.keys()].filter((at) => (entries[at]?.bot !== null) === isBot);
      if (chosen.length === 0) continue;
      // By id: by time, then by the order in the log.
      chosen.sort((a, b) => inDay(visits, a) - inDay(visits, b) || a - b);
      const column = (valueOf: (entry: Entries, at: number) => number) =>
        Int32Array.from(chosen, (at) => valueOf(entries[at] as Entries, at));
      const columns: Partial<Record<ColumnName, Int32Array>> = {
        link: column(({ link }) => link.id),
        client: column(({ client }) => client.id),
        referrer: column(({ referrer }) => referrer.id),
        bot: column(({ bot }) => (bot === null ? none : bot.id)),
        unique: column((_, at) => isUnique[at] as number),
      };
      const without = new Int32Array(chosen.length).fill(none);
      const clicks: Clicks = {
        times: column((_, at) => inDay(visits, at)),
        sequences: column((_, at) => at & sequenceMask),
        values: Object.fromEntries(
          columnNames.map((name) => [name, columns[name] ?? without]),
        ) as Clicks["values"],
      };
      await addBlocks(database, date, [{ account: this.#account.number, isBot, clicks }]);
    }
  }

  async #addSums(database: PoolClient, { start, date, visits, entries, isUnique }: Day): Promise<void> {
    const ofLinks = new Map<number, LinkDay>();
    const quarterHours = new Map<number, Counts>();
    const clicksOf = new Map<DimensionValue, number>();
    const whole = noCounts();
    const botsOf = new Map<Entry, number>();
    for (const [at, { client, bot, referrer, link: value }] of entries.entries()) {
      const { link, inDay: time } = visits[at] as Visit;
      let ofLink = ofLinks.get(link);
      if (ofLink === undefined)
        ofLinks.set(link, (ofLink = { counts: noCounts(), sums: new PackedSums(), bots: new Map() }));
      const quarter = Math.floor(time / quarterHourMs);
      let ofQuarter = quarterHours.get(quarter);
      if (ofQuarter === undefined) quarterHours.set(quarter, (ofQuarter = noCounts()));
      const visitor = isUnique[at] as number;
      const isPerson = Number(bot === null);
      ofLink.sums.quarterHour(quarter, isPerson, visitor, 1 - isPerson);
      for (const counts of [ofLink.counts, ofQuarter, whole]) {
        counts.clicks += isPerson;
        counts.visitors += visitor;
        counts.bots += 1 - isPerson;
      }
      if (bot !== null) {
        for (const bots of [ofLink.bots, botsOf]) bots.set(bot, (bots.get(bot) ?? 0) + 1);
        continue;
      }
      for (const { values } of [client, referrer]) {
        for (const each of values) {
          ofLink.sums.value(each.code, each.id, 1);
          clicksOf.set(each, (clicksOf.get(each) ?? 0) + 1);
        }
      }
      clicksOf.set(value, (clicksOf.get(value) ?? 0) + 1);
      this.clickCounts[link] = (this.clickCounts[link] as number) + 1;
      this.lastClicks[link] = Math.max(this.lastClicks[link] as number, start + time);
    }
    await this.#addLinkDays(database, date, ofLinks);
    const deltas = new SumsDeltas();
    for (const [period, first] of [
      ["day", date],
      ["month", monthOf(date)],
    ] as const)
      for (const [value, clicks] of clicksOf)
        deltas.of(this.#account.id, period, first).value(value.code, value.id, clicks);
    await addAccountSums(database, deltas.sorted());
    await insert(database, "account_days (account_id, day, clicks, visitors, bots)", [
      [this.#account.id, date, whole.clicks, whole.visitors, whole.bots],
    ]);
    await insert(
      database,
      "account_quarter_hours (account_id, start, clicks, visitors, bots)",
      Array.from(quarterHours, ([quarter, { clicks, visitors, bots }]) => [
        this.#account.id,
        new Date(start + quarter * quarterHourMs).toISOString(),
        clicks,
        visitors,
        bots,
      ]),
    );
    await insert(
      database,
      "account_bots (account_id, day, bot_id, bots)",
      Array.from(botsOf, ([bot, count]) => [this.#account.id, date, bot.id, count]),
    );
  }

  async #addLinkDays(
    database: PoolClient,
    date: string,
    ofLinks: ReadonlyMap<number, LinkDay>,
  ): Promise<void> {
    const rows = [...ofLinks];
    const idOf = (link: number) => this.#links[link] as string;
    const { table, values } = sqlColumns(1, {
      link_id: ["uuid", sqlArray(rows.map(([link]) => idOf(link)))],
      clicks: ["int", sqlArray(rows.map(([, { counts }]) => counts.clicks))],
      visitors: ["int", sqlArray(rows.map(([, { counts }]) => counts.visitors))],
      bots: ["int", sqlArray(rows.map(([, { counts }]) => counts.bots))],
      packed: ["bytea", sqlArray(rows.map(([, { sums }]) => quoted(`\\x${sums.pack().toString("hex")}`)))],
    });
    await database.query(
      `insert into link_days (link_id, day, clicks, visitors, bots, packed)
       select link_id, '${date}', clicks, visitors, bots, packed from ${table} order by link_id`,
      values,
    );
    await insert(
      database,
      "link_bots (link_id, day, bot_id, bots)",
      rows.flatMap(([link, { bots }]) =>
        Array.from(bots, ([bot, count]) => [idOf(link), date, bot.id, count]),
      ),
    );
  }
}

/** Sets the counts of the links when all days are there. */
export async function finishLinks(
  database: PoolClient,
  links: readonly string[],
  { clickCounts, lastClicks }: Pick<YearLoader, "clickCounts" | "lastClicks">,
): Promise<void> {
  const clicked = [...links.keys()].filter((link) => clickCounts[link] !== 0);
  const { table, values } = sqlColumns(1, {
    link_id: ["uuid", sqlArray(clicked.map((link) => links[link] as string))],
    clicks: ["bigint", sqlArray(clicked.map((link) => clickCounts[link] as number))],
    last: ["bigint", sqlArray(clicked.map((link) => lastClicks[link] as number))],
  });
  await database.query(
    `update links set click_count = click_count + clicks, last_click_at = to_timestamp(last / 1000.0)
     from ${table} where id = link_id`,
    values,
  );
}

/** What a visit refers to. */
interface Entries {
  client: Client;
  referrer: Referrer;
  bot: Entry | null;
  link: DimensionValue;
}

/** The visits of a UTC day, and what is known of each. */
interface Day {
  /** Milliseconds since the epoch */
  start: number;
  /** YYYY-MM-DD */
  date: string;
  visits: readonly Visit[];
  entries: readonly Entries[];
  /** 1 for the first one of a person on its link */
  isUnique: Uint8Array;
}

interface Counts {
  clicks: number;
  visitors: number;
  bots: number;
}

interface LinkDay {
  counts: Counts;
  sums: PackedSums;
  bots: Map<Entry, number>;
}

const noCounts = (): Counts => ({ clicks: 0, visitors: 0, bots: 0 });
const sequenceMask = (1 << 20) - 1;
const inDay = (visits: readonly Visit[], at: number) => (visits[at] as Visit).inDay;

/** By visit: 1 if it is a person's first one on its link on this day. */
function firstVisits(visits: readonly Visit[], isPerson: (at: number) => boolean): Uint8Array {
  const seen = new Set<number>();
  return Uint8Array.from(visits, ({ link, visitor }, at) => {
    const before = seen.size;
    return Number(isPerson(at) && seen.add(link * 2 ** 24 + visitor).size > before);
  });
}

/** `into` is a table with its columns; each row has their values. */
async function insert(
  database: PoolClient,
  into: string,
  rows: readonly (readonly (string | number)[])[],
): Promise<void> {
  const columns = rows[0]?.map((_, at) => sqlArray(rows.map((row) => row[at] as string | number))) ?? [];
  if (columns.length === 0) return;
  const types: Readonly<Record<string, string>> = {
    account_id: "uuid",
    link_id: "uuid",
    day: "date",
    start: "timestamptz",
    bot_id: "int",
  };
  const names = into.slice(into.indexOf("(") + 1, -1).split(", ");
  const list = names.map((name, at) => `$${at + 1}::${types[name] ?? "bigint"}[]`);
  await database.query(`insert into ${into} select * from unnest(${list.join()})`, columns);
}
