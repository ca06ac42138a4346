import type { Pool } from "pg";
import { createDeriver, type Derived, visitorHash } from "../../derive/index.ts";
import type { RawClick } from "../../log/index.ts";
import { accountsOf } from "./accounts.ts";
import { type Day, dayMs } from "./day.ts";
import { type Client, clientColumns, Descriptions, type DimensionValue } from "./description.ts";
import { openDictionary } from "./dictionary.ts";
import { forEachYielding } from "../../../concurrency/yield-to-event-loop.ts";
import { ReferrerCap } from "./referrer-cap.ts";
import { type Slot, Slots } from "./slots.ts";
import type { Sums } from "./tally.ts";
import { saltsOf } from "../store/visitors.ts";

/** A click as it goes into the database, but for what only its transaction can tell: whether the visitor is new. */
export interface PreparedClick {
  /** Milliseconds since the epoch */
  time: number;
  slot: Slot;
  client: Client;
  referrer: DimensionValue;
  /** Index of the A/B variant, null where there was no test */
  variant: number | null;
  is_bot: boolean;
}

/** Clicks on their way into the database, with all that can be known before their transaction begins. */
export interface Batch {
  clicks: readonly PreparedClick[];
  days: readonly Day[];
  links: readonly Sums[];
  accounts: readonly Sums[];
  clientIds: ReadonlyMap<Client, number>;
  referrerIds: ReadonlyMap<DimensionValue, number>;
  /** Each visitor's first click; visitors are 64-bit numbers as text, by link and UTC day */
  visitors: ReadonlyMap<string, PreparedClick>;
}

/** Before there was a Terse: whoever says so has a wrong clock. */
const earliest = Date.UTC(2020, 0);

/** Makes the function that turns clicks of the log into a batch. */
export function createPreparer(
  pool: Pool,
  clock: () => Date,
  randomBytes: (size: number) => Uint8Array,
): (clicks: readonly RawClick[]) => Promise<Batch> {
  const derive = createDeriver();
  const idsOfClients = openDictionary(pool, "click_clients", clientColumns);
  const idsOfReferrers = openDictionary(pool, "click_referrers", ["referrer"]);

  return async (raw) => {
    const now = clock().getTime();
    const times = raw.map(({ time }) => plausible(time, now));
    const days = await daysOf(pool, times, randomBytes);
    const accountOf = await accountsOf(pool, new Set(raw.map(({ link_id }) => link_id)));
    const descriptions = new Descriptions();
    const slots = new Slots(days, accountOf);
    const visitors = new Map<string, PreparedClick>();
    const clicks: PreparedClick[] = [];
    const derivations: { each: RawClick; time: number; slot: Slot; derived: Derived }[] = [];
    const cap = new ReferrerCap();

    await forEachYielding(raw, (each) => {
      const time = plausible(each.time, now);
      const slot = slots.of(each.link_id, time);
      const derived = derive(each);
      cap.note(slot, derived.referrer);
      derivations.push({ each, time, slot, derived });
    });
    await cap.settle(pool);
    await forEachYielding(derivations, ({ each, time, slot, derived }) => {
      const is_bot = derived.bot;
      const client = descriptions.client(derived);
      const referrer = descriptions.referrer(cap.nameOf(slot, derived.referrer));
      const variant = isIndex(each.variant) ? each.variant : null;
      const click = { time, slot, client, referrer, variant, is_bot };
      clicks.push(click);
      if (is_bot) {
        for (const period of slot.periods) period.bots += 1;
        return;
      }
      for (const period of slot.periods) period.clicks += 1;
      for (const day of slot.days) {
        day.addClient(client);
        day.addValue(referrer);
      }
      if (variant !== null) slot.days[0]?.addValue(descriptions.value("variant", String(variant)));
      const visitor = visitorOf(each, slot.day);
      if (!visitors.has(visitor)) visitors.set(visitor, click);
    });

    return {
      clicks,
      days: [...days.values()],
      ...slots.sums(descriptions),
      clientIds: await idsOfClients(descriptions.clients.values()),
      referrerIds: await idsOfReferrers(descriptions.referrers.values()),
      visitors,
    };
  };
}

/** A click happened, whatever the clock said: a time that cannot be is the time of its counting. */
const plausible = (time: number, now: number) =>
  Math.round(time >= earliest && time <= now + dayMs ? time : now);

const isIndex = (variant: number) => Number.isInteger(variant) && variant >= 0 && variant < 2 ** 15;

const visitorOf = ({ address, link_id, user_agent }: RawClick, { salt }: Day): string =>
  String(visitorHash(salt, address, link_id + user_agent).readBigInt64BE(0));

/** By number since the epoch. */
async function daysOf(
  pool: Pool,
  times: readonly number[],
  randomBytes: (size: number) => Uint8Array,
): Promise<ReadonlyMap<number, Day>> {
  const numbers = [...new Set(times.map((time) => Math.floor(time / dayMs)))].toSorted((a, b) => a - b);
  const dates = numbers.map((number) => new Date(number * dayMs).toISOString().slice(0, 10));
  const salts = await saltsOf(pool, dates, randomBytes);
  return new Map(
    numbers.map((number, at) => {
      const date = dates[at] as string;
      return [number, { date, start: number * dayMs, place: at + 1, salt: salts.get(date) as Buffer }];
    }),
  );
}
