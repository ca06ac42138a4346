import { setImmediate as turn } from "node:timers/promises";
import type { Pool } from "pg";
import { createDeriver, visitorHash } from "../derive/index.ts";
import type { RawClick } from "../log/index.ts";
import { type Client, Descriptions, type Value } from "./description.ts";
import { accountsOf } from "./accounts.ts";
import { saltsOf } from "./visitors.ts";

/** A click as it goes into the database, but for what only its transaction can tell: whether the visitor is new. */
export interface PreparedClick {
  /** Milliseconds since the epoch */
  time: number;
  day: Day;
  link_id: string;
  client: Client;
  /** Index of the A/B variant, null where there was no test */
  variant: number | null;
  is_bot: boolean;
  /** The same for one visitor, link and UTC day, as a 64-bit number; "" for bots, who are no visitors */
  visitor: string;
}

/** A UTC day, one object for all clicks of a batch. */
export interface Day {
  /** YYYY-MM-DD */
  date: string;
  /** Its first millisecond */
  start: number;
  salt: Buffer;
}

/** Clicks on their way into the database, with what can be known before their transaction begins. */
export interface Batch {
  clicks: readonly PreparedClick[];
  days: readonly Day[];
  /** Accounts of links, of those that have one */
  accounts: ReadonlyMap<string, string>;
  variant: (index: number) => Value;
}

const dayMs = 86_400_000;
/** Before there was a Terse: whoever says so has a wrong clock. */
const earliest = Date.UTC(2020, 0);
/** Clicks looked at between two turns of the event loop, which may have redirects to answer: some 5 ms. */
const slice = 1000;

/** Answers what turns clicks of the log into a batch. All but the transaction itself is done here, ahead of its turn. */
export function createPreparer(
  pool: Pool,
  clock: () => Date,
): (clicks: readonly RawClick[]) => Promise<Batch> {
  const derive = createDeriver();

  return async (raw) => {
    const now = clock().getTime();
    // A click happened, whatever the clock said: a time that cannot be is the time of its counting.
    const timeOf = ({ time }: RawClick) => Math.round(time >= earliest && time <= now + dayMs ? time : now);
    const days = await daysOf(pool, new Set(raw.map((click) => Math.floor(timeOf(click) / dayMs))));
    const accounts = await accountsOf(pool, new Set(raw.map(({ link_id }) => link_id)));
    const descriptions = new Descriptions();
    const clicks: PreparedClick[] = [];
    for (const click of raw) {
      const time = timeOf(click);
      const day = days.get(Math.floor(time / dayMs)) as Day;
      const derived = derive(click);
      clicks.push({
        time,
        day,
        link_id: click.link_id,
        client: descriptions.client(derived),
        variant: isIndex(click.variant) ? click.variant : null,
        is_bot: derived.bot,
        visitor: derived.bot ? "" : visitorOf(click, day),
      });
      if (clicks.length % slice === 0) await turn();
    }
    const variant = (index: number) => descriptions.value("variant", String(index));
    return { clicks, days: [...days.values()], accounts, variant };
  };
}

const isIndex = (variant: number) => Number.isInteger(variant) && variant >= 0 && variant < 2 ** 15;

const visitorOf = ({ address, link_id, user_agent }: RawClick, { salt }: Day): string =>
  String(visitorHash(salt, address, link_id + user_agent).readBigInt64BE(0));

async function daysOf(pool: Pool, numbers: ReadonlySet<number>): Promise<Map<number, Day>> {
  const starts = [...numbers].map((number) => number * dayMs);
  const dates = starts.map((start) => new Date(start).toISOString().slice(0, 10));
  const salts = await saltsOf(pool, dates);
  return new Map(
    starts.map((start, at) => {
      const date = dates[at] ?? "";
      return [start / dayMs, { date, start, salt: salts.get(date) ?? Buffer.alloc(0) }];
    }),
  );
}
