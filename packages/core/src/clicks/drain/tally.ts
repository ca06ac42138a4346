import type { Value } from "./description.ts";

const hourMs = 3_600_000;

/** One hour of a link or an account. Its visitors are known later, when the database has told who is new. */
export interface Hour {
  /** Its first millisecond */
  start: number;
  clicks: number;
  bots: number;
}

/** What one link or one account got in a batch. */
export class Sums {
  readonly id: string;
  /** Place among the batch's links or accounts by id, from 1: the element of an SQL array */
  place = 0;
  /** People's clicks; bots are none */
  clicks = 0;
  readonly hours = new Map<number, Hour>();
  /** By the day's place among the batch's days */
  readonly days = new Map<number, Map<Value, number>>();

  constructor(id: string) {
    this.id = id;
  }

  /** Counts a click, or a bot's visit, in its hour. */
  count(time: number, isBot: boolean): Hour {
    const start = time - (time % hourMs);
    let hour = this.hours.get(start);
    if (hour === undefined) this.hours.set(start, (hour = { start, clicks: 0, bots: 0 }));
    if (isBot) hour.bots += 1;
    else {
      hour.clicks += 1;
      this.clicks += 1;
    }
    return hour;
  }

  /** Counts what is known of a person's click on its day. */
  describe(day: number, values: readonly Value[]): void {
    let counts = this.days.get(day);
    if (counts === undefined) this.days.set(day, (counts = new Map()));
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
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
