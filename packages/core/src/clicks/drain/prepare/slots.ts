import type { ClickAccount } from "./accounts.ts";
import { type Day, dayMs } from "./day.ts";
import type { Descriptions } from "./description.ts";
import { type DaySums, type ClickCounts, type Sums, Tally } from "./tally.ts";

/** What all clicks of one link and quarter hour are counted in. */
export interface Slot {
  link: Sums;
  day: Day;
  /** Null for links that belong to nobody */
  account: ClickAccount | null;
  /** Of the link and of its account */
  days: readonly DaySums[];
  /** These days, and the quarter hours */
  periods: readonly ClickCounts[];
}

const quarterHourMs = 900_000;

/** Where the clicks of a batch are counted: looked up once a click. */
export class Slots {
  readonly #days: ReadonlyMap<number, Day>;
  readonly #accountOf: ReadonlyMap<string, ClickAccount>;
  readonly #links = new Tally();
  readonly #accounts = new Tally();
  readonly #slots = new Map<Sums, Map<number, Slot>>();

  /** `days` by their number since the epoch, `accountOf` by the link's id. */
  constructor(days: ReadonlyMap<number, Day>, accountOf: ReadonlyMap<string, ClickAccount>) {
    this.#days = days;
    this.#accountOf = accountOf;
  }

  of(linkId: string, time: number): Slot {
    const link = this.#links.of(linkId);
    const start = time - (time % quarterHourMs);
    let slots = this.#slots.get(link);
    if (slots === undefined) this.#slots.set(link, (slots = new Map()));
    let slot = slots.get(start);
    if (slot === undefined) slots.set(start, (slot = this.#make(link, start)));
    return slot;
  }

  #make(link: Sums, start: number): Slot {
    const day = this.#days.get(Math.floor(start / dayMs)) as Day;
    const account = this.#accountOf.get(link.id) ?? null;
    const owners = account ? [link, this.#accounts.of(account.id)] : [link];
    const days = owners.map((owner) => owner.day(day.place));
    return {
      link,
      day,
      account,
      days,
      periods: [...days, ...owners.map((owner) => owner.quarterHour(start))],
    };
  }

  /** What all links and all accounts got; for an account, its links are values too. */
  sums(descriptions: Descriptions): { links: readonly Sums[]; accounts: readonly Sums[] } {
    const links = this.#links.sorted();
    for (const link of links) {
      const account = this.#accountOf.get(link.id);
      if (account === undefined) continue;
      const value = descriptions.value("link", link.id);
      for (const { place, clicks } of link.days())
        if (clicks > 0) this.#accounts.of(account.id).day(place).addValue(value, clicks);
    }
    return { links, accounts: this.#accounts.sorted() };
  }
}
