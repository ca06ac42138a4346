import type { Conditions, LinkRule, Visitor } from "../../src/index.ts";
import { days } from "../../src/redirects/rules/conditions/time.ts";
import {
  bitsOf4,
  bitsOf6,
  type SlowLink,
  type SlowMoment,
  type SlowOptions,
  type SlowVisit,
} from "./slow-decision.ts";

/** Random links and visits, with values that are few enough to meet often. */

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const continents = {
  DE: "EU",
  FR: "EU",
  US: "NA",
  BR: "SA",
  JP: "AS",
  ZA: "AF",
  AU: "OC",
  AQ: "AN",
} as const;
const countries = Object.keys(continents) as (keyof typeof continents)[];
const tags = ["de", "de-AT", "en", "en-GB", "pt-BR", "zh-Hant", "zh-Hant-TW", "sl-x-mine"];
const ranges = [
  ...tags,
  "DE-at-1996",
  "EN-us",
  "zh-hant-tw",
  "zh-Hant-HK",
  "sl-x-mine-too",
  "sl",
  "fr",
  "de-x-1",
];
const devices = ["desktop", "mobile", "tablet"];
const systems = ["iOS", "Android", "Windows"];
const browsers = ["Chrome", "Firefox", "Samsung Internet"];
const hosts = ["news.example", "m.news.example", "example", "other.example", "com.slack"];
const zones = ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"];
const clocks = ["00:00", "01:30", "02:00", "02:30", "09:00", "17:00", "23:59"];
const names = ["a", "b c", "ü", "a&b"];
const values = ["", "1", "2", "x y", "ö=&"];
const blocks = ["10.0.0.0/8", "10.1.0.0/15", "10.1.2.3/32", "0.0.0.0/0", "10.1.2.200/25", "10.1.2.3"];
const longBlocks = ["2001:db8:0:0:0:0:0:0/32", "2001:db8:1:0:0:0:0:0/47", "0:0:0:0:0:0:0:0/0"];
/** Clocks are changed at or near each of them, somewhere. */
const changes = ["2026-03-29T01:00Z", "2026-10-25T01:00Z", "2026-03-08T05:30Z", "2026-10-03T15:30Z"];
const start = Date.parse("2026-01-01T00:00Z");
const url = (path: string) => `https://example.com/${path}`;

export function randomVisits(random: () => number) {
  const below = (max: number) => Math.floor(random() * max);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const chance = (share: number) => random() < share;
  const some = <T>(list: readonly T[]): T[] => {
    const few = list.filter(() => chance(0.35));
    return few.length > 0 ? few : [one(list)];
  };
  const time = () =>
    chance(0.5)
      ? new Date(Date.parse(one(changes)) + below(6 * 60) * 60_000 - 3 * 3_600_000)
      : new Date(start + below(365 * 24 * 3600) * 1000);

  const kinds: { [Name in keyof Conditions]-?: () => NonNullable<Conditions[Name]> } = {
    country: () => some(countries),
    continent: () => some([...new Set(Object.values(continents))]),
    language: () => some(tags),
    device: () => some(devices),
    os: () => some(systems),
    browser: () => some(browsers),
    referrer: () => some(hosts),
    query: () =>
      Array.from({ length: 1 + below(2) }, () => ({
        name: one(names),
        ...(chance(0.6) && { value: chance(0.3) ? null : one(values) }),
      })),
    ip: () => some([...blocks, ...longBlocks]),
    after: () => time().toISOString(),
    before: () => time().toISOString(),
    weekly: () => ({ tz: one(zones), days: some(days), from: one(clocks), to: one(clocks) }),
  };

  const conditions = (): Conditions =>
    Object.fromEntries(
      Array.from({ length: 1 + below(3) }, () => one(Object.entries(kinds))).map(([name, make]) => [
        name,
        make(),
      ]),
    );

  const link = (id: string): SlowLink => ({
    id,
    destination: url("destination"),
    is_active: chance(0.97),
    expires_at: chance(0.1) ? time() : null,
    hasPassword: chance(0.1),
    rules: Array.from(
      { length: chance(0.1) ? 0 : below(7) },
      (_, at): LinkRule => ({ when: conditions(), url: url(`rule-${at}`) }),
    ),
    geo_rules: chance(0.3) ? some(countries).map((country) => ({ country, url: url(country) })) : [],
    ab_test: chance(0.3)
      ? { variants: ["a", "b", "c"].map((name) => ({ url: url(name), weight: 1 + below(9) })) }
      : null,
  });

  const options = (): SlowOptions => ({
    starts_at: chance(0.15) ? time() : null,
    click_limit: chance(0.2) ? 1 + below(5) : null,
    fallback_url: chance(0.3) ? url("fallback") : null,
    redirect_status: chance(0.5) ? one([301, 307, 308] as const) : null,
    preview: chance(0.2) ? { title: "Title", description: null, image: null } : null,
  });

  const moment = (): SlowMoment => ({ isUsedUp: chance(0.3), isLinkPreview: chance(0.1) });

  function visit(): { slow: SlowVisit; visitor: Visitor } {
    const country = chance(0.2) ? null : one(countries);
    const languages = Array.from({ length: below(4) }, () => ({
      tag: one(ranges),
      weight: chance(0.4) ? 1 : below(11) / 10,
    }));
    const agent = {
      device: chance(0.2) ? null : one(devices),
      os: chance(0.2) ? null : one(systems),
      browser: chance(0.2) ? null : one(browsers),
    };
    const host = chance(0.3) ? null : one(["", "www.", "a.b.", "x"]) + one(hosts);
    const parameters = Array.from({ length: below(4) }, (): [string, string] => [one(names), one(values)]);
    const [text, address] = randomAddress();
    return {
      slow: {
        time: time(),
        isUnlocked: chance(0.5),
        id: `visitor ${below(1000)}`,
        country,
        continent: country && continents[country],
        languages: languages.filter(({ weight }) => weight > 0),
        ...agent,
        referrerHost: host,
        parameters,
        address,
      },
      visitor: {
        country: () => country,
        id: () => "",
        language: () =>
          [...languages.map(headerOf), ...(chance(0.2) ? ["*;q=0.1", "; ,", "bad_tag"] : [])].join(", "),
        agent: () => agent,
        referrer: () => (host === null ? one(["", "about:blank", "not a URL"]) : refererOf(host)),
        query: () => parameters.map((pair) => pair.map(encoded).join("=")).join("&"),
        address: () => text,
      },
    };
  }

  const headerOf = ({ tag, weight }: { tag: string; weight: number }) =>
    weight === 1 && chance(0.8) ? tag : `${tag}; q=${weight}`;

  const refererOf = (host: string) => {
    const spelled = chance(0.3) ? host.toUpperCase() : host;
    return `${one(["https", "http", "android-app"])}://${spelled}${one(["", ".", ":8080"])}/page?of=${one(hosts)}`;
  };

  const encoded = (text: string) =>
    chance(0.5) ? encodeURIComponent(text) : new URLSearchParams([["", text]]).toString().slice(1);

  function randomAddress(): [text: string, bits: string | null] {
    if (chance(0.1)) return ["", null];
    if (chance(0.3)) {
      const long = `2001:db8:${below(4).toString(16)}:0:0:0:0:1`;
      return [long.replace(":0:0:0:0:", "::"), bitsOf6(long)];
    }
    const short = one(["10.1.2.3", "10.1.2.130", "10.2.0.1", "11.0.0.1", "255.255.255.255"]);
    return [chance(0.3) ? `::ffff:${short}` : short, bitsOf4(short)];
  }

  return { link, options, moment, visit };
}
