import { dayMs, quarterHourMs } from "../../../kernel/time.ts";
import type { ClickAccount } from "./accounts.ts";
import type { Day } from "./days.ts";
import type { Interner } from "./interner.ts";
import { type DayValues, type QuarterHour, type Sums, Tally } from "./tally.ts";

/** Where all clicks of one link and quarter hour are counted. */
export interface Slot {
  link: Sums;
  day: Day;
  /** Null for anonymous links */
  account: ClickAccount | null;
  /** The link's and its account's */
  quarterHours: readonly QuarterHour[];
  /** The link's first, then its account's */
  dayValues: readonly DayValues[];
}

/** The slots of a link. */
interface LinkSlots {
  link: Sums;
  /** The one that was found last, as clicks come in the order of time */
  latest: { start: number; slot: Slot };
  /** All of them, once there are two */
  byStart: Map<number, Slot> | null;
}

/** Finds the slot of a click, once a click. */
export class Slots {
  readonly #days: ReadonlyMap<number, Day>;
  readonly #accountOf: ReadonlyMap<string, ClickAccount>;
  readonly #links = new Tally();
  readonly #accounts = new Tally();
  readonly #slots = new Map<string, LinkSlots>();

  /** `days` by their number since the epoch, `accountOf` by link id. */
  constructor(days: ReadonlyMap<number, Day>, accountOf: ReadonlyMap<string, ClickAccount>) {
    this.#days = days;
    this.#accountOf = accountOf;
  }

  of(linkId: string, time: number): Slot {
    const start = time - (time % quarterHourMs);
    const known = this.#slots.get(linkId);
    if (known?.latest.start === start) return known.latest.slot;
    if (known !== undefined) return this.#another(known, start);
    const link = this.#links.of(linkId);
    const slot = this.#make(link, start);
    this.#slots.set(linkId, { link, latest: { start, slot }, byStart: null });
    return slot;
  }

  #another(slots: LinkSlots, start: number): Slot {
    const { link, latest } = slots;
    const byStart = (slots.byStart ??= new Map([[latest.start, latest.slot]]));
    let slot = byStart.get(start);
    if (slot === undefined) byStart.set(start, (slot = this.#make(link, start)));
    slots.latest = { start, slot };
    return slot;
  }

  #make(link: Sums, start: number): Slot {
    const day = this.#days.get(Math.floor(start / dayMs)) as Day;
    const account = this.#accountOf.get(link.id) ?? null;
    const sums = account ? [link, this.#accounts.of(account.id)] : [link];
    return {
      link,
      day,
      account,
      quarterHours: sums.map((each) => each.quarterHour(start)),
      dayValues: sums.map((each) => each.day(day.place)),
    };
  }

  /** Counts a visit that was sent to the link's fallback URL, which is no click. */
  addFallback(linkId: string): void {
    this.#links.of(linkId).fallbacks += 1;
  }

  /** The sums of all links and all accounts; for an account, its links are values too. */
  sums(interner: Interner): { links: readonly Sums[]; accounts: readonly Sums[] } {
    const links = this.#links.sorted();
    for (const link of links) {
      const account = this.#accountOf.get(link.id);
      if (account === undefined) continue;
      const value = interner.value("link", link.id);
      for (const { place, clicks } of link.days())
        if (clicks > 0) this.#accounts.of(account.id).day(place).addValue(value, clicks);
    }
    return { links, accounts: this.#accounts.sorted() };
  }
}
