import type { BotEntry, Client, DimensionValue, Referrer } from "./interner.ts";

/** Clicks of fifteen minutes. New visitors are counted later, when the database has told who they are. */
export interface QuarterHour {
  /** Its first millisecond */
  readonly start: number;
  /** Clicks of people, without bots */
  clicks: number;
  bots: number;
}

/** Clicks of people on a UTC day, by value of each dimension. */
export class DayValues {
  /** Place among the batch's days */
  readonly place: number;
  clicks = 0;
  /** Clicks by client and by referrer, which have several values each */
  readonly #entries = new Map<Client | Referrer, number>();
  /** Other values. Most days have none, and no bots: a map takes more than all their clicks */
  #values: Map<DimensionValue, number> | null = null;
  #bots: Map<BotEntry, number> | null = null;

  constructor(place: number) {
    this.place = place;
  }

  /** Adds a click. Clients and referrers are split into their values at the end, once for all clicks of each. */
  addClick(client: Client, referrer: Referrer): void {
    this.clicks += 1;
    this.#entries.set(client, (this.#entries.get(client) ?? 0) + 1);
    this.#entries.set(referrer, (this.#entries.get(referrer) ?? 0) + 1);
  }

  addValue(value: DimensionValue, clicks = 1): void {
    this.#values ??= new Map();
    this.#values.set(value, (this.#values.get(value) ?? 0) + clicks);
  }

  /** Adds a visit of a bot, which is no click. */
  addBot(bot: BotEntry): void {
    this.#bots ??= new Map();
    this.#bots.set(bot, (this.#bots.get(bot) ?? 0) + 1);
  }

  bots(): ReadonlyMap<BotEntry, number> {
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
  /** Place among the batch's links or accounts by id, from 1: the element of an SQL array */
  place = 0;
  /** When a person last clicked, in milliseconds since the epoch; 0 if only bots did */
  lastClick = 0;
  /** People who were sent to the link's fallback URL, which are no clicks */
  fallbacks = 0;
  /** Clicks that took one of those that the link's limit allows */
  limited = 0;
  readonly #quarterHours = new Map<number, QuarterHour>();
  readonly #days = new Map<number, DayValues>();

  constructor(id: string) {
    this.id = id;
  }

  /** By its first millisecond. */
  quarterHour(start: number): QuarterHour {
    let quarterHour = this.#quarterHours.get(start);
    if (quarterHour === undefined)
      this.#quarterHours.set(start, (quarterHour = { start, clicks: 0, bots: 0 }));
    return quarterHour;
  }

  /** By the day's place among the batch's days. */
  day(place: number): DayValues {
    let day = this.#days.get(place);
    if (day === undefined) this.#days.set(place, (day = new DayValues(place)));
    return day;
  }

  quarterHours(): readonly QuarterHour[] {
    return [...this.#quarterHours.values()].toSorted((a, b) => a.start - b.start);
  }

  days(): readonly DayValues[] {
    return [...this.#days.values()].toSorted((a, b) => a.place - b.place);
  }
}

/** The sums of a batch's links, or of its accounts. */
export class Tally {
  readonly #sums = new Map<string, Sums>();

  of(id: string): Sums {
    let sums = this.#sums.get(id);
    if (sums === undefined) this.#sums.set(id, (sums = new Sums(id)));
    return sums;
  }

  /** All of them by id: the same order on every node, so that no two nodes wait for each other's rows. */
  sorted(): readonly Sums[] {
    const list = [...this.#sums.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const [at, sums] of list.entries()) sums.place = at + 1;
    return list;
  }
}
