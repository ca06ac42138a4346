import type { Client, DimensionValue } from "./description.ts";

/** What a stretch of time got. Its visitors are known later, when the database has told who is new. */
export interface ClickCounts {
  /** People's clicks; bots are none */
  clicks: number;
  bots: number;
}

/** Fifteen minutes: the longest time of which every zone's hours and days are made. */
export interface QuarterHour extends ClickCounts {
  /** Its first millisecond */
  readonly start: number;
}

/** A UTC day. */
export class DaySums implements ClickCounts {
  /** Place among the batch's days */
  readonly place: number;
  clicks = 0;
  bots = 0;
  readonly #clients = new Map<Client, number>();
  readonly #values = new Map<DimensionValue, number>();

  constructor(place: number) {
    this.place = place;
  }

  /** Counts who clicked; the client's values are told apart at the end, once for all its clicks. */
  addClient(client: Client): void {
    this.#clients.set(client, (this.#clients.get(client) ?? 0) + 1);
  }

  addValue(value: DimensionValue, clicks = 1): void {
    this.#values.set(value, (this.#values.get(value) ?? 0) + clicks);
  }

  /** Clicks by each value of each dimension. */
  values(): ReadonlyMap<DimensionValue, number> {
    const sums = new Map(this.#values);
    for (const [{ values }, clicks] of this.#clients)
      for (const value of values) sums.set(value, (sums.get(value) ?? 0) + clicks);
    return sums;
  }
}

/** What one link or one account got in a batch. */
export class Sums {
  readonly id: string;
  /** Place among the batch's links or accounts by id, from 1: the element of an SQL array */
  place = 0;
  readonly #quarterHours = new Map<number, QuarterHour>();
  readonly #days = new Map<number, DaySums>();

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
  day(place: number): DaySums {
    let day = this.#days.get(place);
    if (day === undefined) this.#days.set(place, (day = new DaySums(place)));
    return day;
  }

  quarterHours(): readonly QuarterHour[] {
    return [...this.#quarterHours.values()].toSorted((a, b) => a.start - b.start);
  }

  days(): readonly DaySums[] {
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

  /** All of them by id, so that two nodes never wait for each other in a ring. */
  sorted(): readonly Sums[] {
    const list = [...this.#sums.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const [at, sums] of list.entries()) sums.place = at + 1;
    return list;
  }
}
