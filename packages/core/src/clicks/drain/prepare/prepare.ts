import type { Base } from "../../../db/base.ts";
import { forEachYielding } from "../../../kernel/async/waiting.ts";
import { dayMs } from "../../../kernel/time.ts";
import type { Campaign } from "../../derive/campaign.ts";
import { createDeriver } from "../../derive/derive.ts";
import type { Locator } from "../../derive/locate.ts";
import { otherReferrers } from "../../derive/referrer.ts";
import { campaignDimensions } from "../../dimension-names.ts";
import type { RawClick } from "../../log/format.ts";
import { createCampaignCap, createReferrerCap } from "./caps.ts";
import { accountsOf, type ClickAccount, type LinkPeriod, LinkPeriods, type Sums } from "./click-counts.ts";
import {
  BatchValues,
  type CampaignEntry,
  type Client,
  dictionaries,
  type Entry,
  openDictionary,
  type Referrer,
} from "./value-ids.ts";
import { type Day, daysOf, visitorHash, Visitors } from "./visitors.ts";

/** A click ready to be stored. Only whether its visitor is new is decided later, by the transaction that stores it. */
export interface PreparedClick {
  /** Milliseconds since the epoch */
  time: number;
  period: LinkPeriod;
  client: Client;
  referrer: Referrer;
  /** Null without one */
  campaign: CampaignEntry | null;
  /** Why it is a bot's; null for people */
  bot: Entry | null;
  /** Null if unknown */
  place: Entry | null;
  /** Index of the A/B variant, null without an A/B test */
  variant: number | null;
  is_bot: boolean;
}

/** Clicks on their way into the database, with everything that can be known before their transaction begins. */
export interface Batch {
  clicks: readonly PreparedClick[];
  days: readonly Day[];
  links: readonly Sums[];
  accounts: readonly Sums[];
  /** By link; anonymous ones have none */
  accountOf: ReadonlyMap<string, ClickAccount>;
  /** The accounts of the links, each once */
  owners: readonly ClickAccount[];
  /** The rows that the clicks refer to, with ids */
  values: BatchValues;
  visitors: Visitors;
}

/** Terse did not exist before, so an earlier time comes from a wrong clock. */
const minTime = Date.UTC(2020, 0);

export interface Preparer {
  /** Turns clicks into a batch. Times before `earliest`, in milliseconds since the epoch, become the time of counting. */
  prepare(clicks: readonly RawClick[], earliest?: number): Promise<Batch>;
  /** Empties the caches of values read from the database. */
  forget(): void;
}

export interface PreparerDeps extends Pick<Base, "pool" | "clock" | "randomBytes"> {
  readonly locator?: Locator;
}

export function createPreparer(deps: PreparerDeps): Preparer {
  const { pool, clock, locator } = deps;
  const derive = createDeriver(locator);
  const opened = Object.entries(dictionaries).map(
    ([name, table]) => [name as keyof typeof dictionaries, openDictionary(pool, table)] as const,
  );

  async function prepare(raw: readonly RawClick[], earliest = minTime): Promise<Batch> {
    const now = clock().getTime();
    const timeOf = ({ time }: RawClick) => plausible(time, earliest, now);
    const times = raw.map(timeOf);
    const days = await daysOf(deps, times);
    const accountOf = await accountsOf(pool, new Set(raw.map(({ link_id }) => link_id)));
    const values = new BatchValues();
    const periods = new LinkPeriods(days, accountOf);
    const visitors = new Visitors();
    const clicks: PreparedClick[] = [];
    /** By click: they are limited, which is decided when all were seen */
    const referrers: (string | null)[] = [];
    const campaigns: (Campaign | null)[] = [];
    const referrerCap = createReferrerCap();
    const campaignCap = createCampaignCap();
    const noReferrer = values.referrer(null);

    await forEachYielding(raw, (rawClick) => {
      const derived = derive(rawClick);
      const is_bot = derived.bot;
      if (rawClick.counts_as === "fallback") {
        if (!is_bot) periods.addFallback(rawClick.link_id);
        return;
      }
      const time = timeOf(rawClick);
      const period = periods.of(rawClick.link_id, time);
      referrerCap.add(period, derived.referrer);
      if (period.account !== null) campaignCap.add(period, derived.campaign && textOf(derived.campaign));
      referrers.push(derived.referrer);
      campaigns.push(derived.campaign);
      const client = values.client(derived);
      const bot = derived.reason && values.bot(derived.reason);
      const place = derived.place && values.place(derived.place);
      const variant = isIndex(rawClick.variant) ? rawClick.variant : null;
      const at = clicks.push({
        time,
        period,
        client,
        referrer: noReferrer,
        campaign: null,
        bot,
        place,
        variant,
        is_bot,
      });
      if (is_bot) {
        for (const quarterHour of period.quarterHours) quarterHour.bots += 1;
        if (bot !== null) for (const day of period.days) day.addBot(bot);
        return;
      }
      for (const quarterHour of period.quarterHours) quarterHour.clicks += 1;
      if (time > period.link.lastClick) period.link.lastClick = time;
      if (rawClick.counts_as === "limited") period.link.limited += 1;
      if (variant !== null) period.days[0]?.addValue(values.value("variant", String(variant)));
      visitors.add(period.day, visitorOf(rawClick, period.day), at - 1);
    });
    await referrerCap.decide(pool);
    await campaignCap.decide(pool);
    let at = 0;
    await forEachYielding(clicks, (click) => {
      const { period, client } = click;
      const referrer = referrers[at] ?? null;
      if (referrer !== null)
        click.referrer = values.referrer(referrerCap.isSurplus(period, referrer) ? otherReferrers : referrer);
      click.campaign = campaignIn(campaigns[at] ?? null, period);
      at += 1;
      if (!click.is_bot) for (const day of period.days) day.addClick(client, click.referrer);
    });

    /** Clicks on anonymous links, which have no reports, have no campaign either. */
    function campaignIn(campaign: Campaign | null, period: LinkPeriod): CampaignEntry | null {
      if (campaign === null || period.account === null) return null;
      const { number } = period.account;
      const text = textOf(campaign);
      return campaignCap.isSurplus(period, text)
        ? values.campaign(number, otherCampaign, null)
        : values.campaign(number, campaign, text);
    }

    const sums = periods.sums(values);
    for (const [name, dictionary] of opened) await dictionary.findIds(values[name]);
    return {
      clicks,
      days: [...days.values()],
      ...sums,
      accountOf,
      owners: [...new Map(Array.from(accountOf.values(), (account) => [account.number, account])).values()],
      values,
      visitors,
    };
  }

  return {
    prepare,
    forget() {
      for (const [, dictionary] of opened) dictionary.forget();
    },
  };
}

/** A campaign as one text; its values have no line feeds. */
const textOf = (campaign: Campaign) => campaign.join("\n");
/** In place of campaigns over the limit. */
const otherCampaign: Campaign = campaignDimensions.map(() => otherReferrers);

/** The click happened, whatever the clock said: an impossible time is replaced by the time of counting. */
const plausible = (time: number, earliest: number, now: number) =>
  Math.round(time >= earliest && time <= now + dayMs ? time : now);

const isIndex = (variant: number) => Number.isInteger(variant) && variant >= 0 && variant < 2 ** 15;

const visitorOf = ({ address, link_id, user_agent }: RawClick, { key }: Day): string =>
  visitorHash(key, address, link_id + user_agent);
