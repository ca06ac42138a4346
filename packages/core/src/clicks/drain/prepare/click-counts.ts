import type { Pool } from "pg";
import { sqlArray } from "../../../db/arrays.ts";
import { dayMs, quarterHourMs } from "../../../kernel/time.ts";
import type { BatchValues, Client, DimensionValue, Entry } from "./value-ids.ts";
import type { Day } from "./visitors.ts";

/** Where all clicks of one link and quarter hour are counted. */
export interface LinkPeriod {
  /** Its first millisecond */
  start: number;
  link: Sums;
  day: Day;
  /** Null for anonymous links */
  account: ClickAccount | null;
  /** The link's and its account's */
  quarterHours: readonly QuarterHour[];
  /** The link's first, then its account's */
  days: readonly DayCounts[];
}

/** Finds the period of a click, once a click. */
export class LinkPeriods {
  readonly #days: ReadonlyMap<number, Day>;
  readonly #accountOf: ReadonlyMap<string, ClickAccount>;
  readonly #links = new ClickCounts();
  readonly #accounts = new ClickCounts();
  /** By link: the one that was found last, as clicks come in the order of time */
  readonly #latest = new Map<string, LinkPeriod>();
  /** By link and start: those that were the latest before */
  readonly #earlier = new Map<string, LinkPeriod>();

  /** `days` by their first milliseconds, `accountOf` by link id. */
  constructor(days: ReadonlyMap<number, Day>, accountOf: ReadonlyMap<string, ClickAccount>) {
    this.#days = days;
    this.#accountOf = accountOf;
  }

  of(linkId: string, time: number): LinkPeriod {
    const start = time - (time % quarterHourMs);
    const latest = this.#latest.get(linkId);
    if (latest?.start === start) return latest;
    let period: LinkPeriod | undefined;
    if (latest !== undefined) {
      this.#earlier.set(`${linkId} ${latest.start}`, latest);
      period = this.#earlier.get(`${linkId} ${start}`);
    }
    period ??= this.#make(this.#links.of(linkId), start);
    this.#latest.set(linkId, period);
    return period;
  }

  #make(link: Sums, start: number): LinkPeriod {
    const day = this.#days.get(start - (start % dayMs)) as Day;
    const account = this.#accountOf.get(link.id) ?? null;
    const sums = account ? [link, this.#accounts.of(account.id)] : [link];
    const days = sums.map((each) => each.day(day));
    const quarterHours = days.map((each) => each.quarterHour(start));
    return { start, link, day, account, days, quarterHours };
  }

  /** Counts a visit sent to the link's fallback URL, which is not a click. */
  addFallback(linkId: string): void {
    this.#links.of(linkId).fallbacks += 1;
  }

  /** The sums of all links and all accounts; for an account, its links are values too. */
  sums(batchValues: BatchValues): { links: readonly Sums[]; accounts: readonly Sums[] } {
    const links = this.#links.sorted();
    for (const link of links) {
      const account = this.#accountOf.get(link.id);
      if (account === undefined) continue;
      const value = batchValues.value("link", link.id);
      for (const { day, clicks } of link.days())
        if (clicks > 0) this.#accounts.of(account.id).day(day).addValue(value, clicks);
    }
    return { links, accounts: this.#accounts.sorted() };
  }
}

/** Clicks of fifteen minutes. */
interface QuarterHour {
  /** Its first millisecond */
  readonly start: number;
  /** Clicks of people, without bots */
  clicks: number;
  /** New visitors: counted once the database has shown who is new */
  visitors: number;
  bots: number;
}

/** The clicks of a link or an account on a UTC day. */
export class DayCounts {
  readonly day: Day;
  /** Clicks of people */
  clicks = 0;
  readonly #quarterHours = new Map<number, QuarterHour>();
  /** Clicks by client and by referrer, which have several values each */
  readonly #entries = new Map<Client, number>();
  /** Other values. Most days have none, and no bots: a map takes more than all their clicks */
  #values: Map<DimensionValue, number> | null = null;
  #bots: Map<Entry, number> | null = null;

  constructor(day: Day) {
    this.day = day;
  }

  /** By its first millisecond. */
  quarterHour(start: number): QuarterHour {
    let quarterHour = this.#quarterHours.get(start);
    if (quarterHour === undefined)
      this.#quarterHours.set(start, (quarterHour = { start, clicks: 0, visitors: 0, bots: 0 }));
    return quarterHour;
  }

  quarterHours(): readonly QuarterHour[] {
    return [...this.#quarterHours.values()];
  }

  totals(): { clicks: number; visitors: number; bots: number } {
    const sum = (count: "visitors" | "bots") =>
      this.quarterHours().reduce((total, quarterHour) => total + quarterHour[count], 0);
    return { clicks: this.clicks, visitors: sum("visitors"), bots: sum("bots") };
  }

  /** Adds a click. Clients and referrers are split into their values at the end, once for all clicks of each. */
  addClick(client: Client, referrer: Client): void {
    this.clicks += 1;
    this.#entries.set(client, (this.#entries.get(client) ?? 0) + 1);
    this.#entries.set(referrer, (this.#entries.get(referrer) ?? 0) + 1);
  }

  addValue(value: DimensionValue, clicks = 1): void {
    this.#values ??= new Map();
    this.#values.set(value, (this.#values.get(value) ?? 0) + clicks);
  }

  /** Adds a bot's visit, which is not a click. */
  addBot(reason: Entry): void {
    this.#bots ??= new Map();
    this.#bots.set(reason, (this.#bots.get(reason) ?? 0) + 1);
  }

  botsByReason(): ReadonlyMap<Entry, number> {
    return this.#bots ?? new Map();
  }

  values(): ReadonlyMap<DimensionValue, number> {
    const sums = new Map(this.#values);
    for (const [{ values }, clicks] of this.#entries)
      for (const value of values) sums.set(value, (sums.get(value) ?? 0) + clicks);
    return sums;
  }
}

/** The clicks of one link or one account in a batch. */
export class Sums {
  readonly id: string;
  /** Position among the batch's links or accounts by id, from 1: the element of an SQL array */
  position = 0;
  /** When a person last clicked, in milliseconds since the epoch; 0 if only bots did */
  lastClick = 0;
  /** Visits of people sent to the link's fallback URL, which are not clicks */
  fallbacks = 0;
  /** Clicks that used up one of the link's limited clicks */
  limited = 0;
  readonly #days = new Map<Day, DayCounts>();

  constructor(id: string) {
    this.id = id;
  }

  day(day: Day): DayCounts {
    let counts = this.#days.get(day);
    if (counts === undefined) this.#days.set(day, (counts = new DayCounts(day)));
    return counts;
  }

  days(): readonly DayCounts[] {
    return [...this.#days.values()].toSorted((a, b) => a.day.start - b.day.start);
  }

  /** Clicks of people */
  get clicks(): number {
    return this.days().reduce((sum, { clicks }) => sum + clicks, 0);
  }
}

/** The sums of a batch's links, or of its accounts. */
class ClickCounts {
  readonly #sums = new Map<string, Sums>();

  of(id: string): Sums {
    let sums = this.#sums.get(id);
    if (sums === undefined) this.#sums.set(id, (sums = new Sums(id)));
    return sums;
  }

  /** All of them by id: the same order on every node, so that no two nodes wait for each other's rows. */
  sorted(): readonly Sums[] {
    const list = [...this.#sums.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const [at, sums] of list.entries()) sums.position = at + 1;
    return list;
  }
}

/** The account of a link, as clicks refer to it. */
export interface ClickAccount {
  id: string;
  /** Its id in raw clicks, which is shorter */
  number: number;
}

/** Returns the accounts of links, deleted ones included, by link id. Anonymous links have none. */
export async function accountsOf(
  pool: Pool,
  links: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ClickAccount>> {
  const { rows } = await pool.query<{ link_id: string } & ClickAccount>({
    name: "accounts-of-links",
    text: `select l.id as link_id, u.id, u.number from (
             select id, account_id from links where id = any($1::uuid[])
             union all
             select id, account_id from deleted_links where id = any($1::uuid[])
           ) l join workspaces u on u.id = l.account_id`,
    values: [sqlArray([...links])],
  });
  return new Map(rows.map(({ link_id, id, number }) => [link_id, { id, number }]));
}
