import type { Country } from "./countries.ts";
import type { Channel } from "./referrers.ts";

/** How visits are spread over a link's life: one burst that fades, a burst every four weeks, or evenly. */
export type Rhythm = "launch" | "mailing" | "steady";

/** A link before its times are known: they are fractions of the period, so that a period of any length has them all. */
export interface LinkIdea {
  title: string;
  url: string;
  /** Default: drawn at random */
  slug?: string;
  /** When it was created: 1 is the beginning of the period, 0 is now */
  age: number;
  rhythm: Rhythm;
  channel?: Channel;
  /** Country of most of its visitors; default: visitors from anywhere */
  home?: Country;
  password?: true;
  /** When it expires, on the scale of `age`; negative numbers are in the future */
  expires?: number;
  /** When it was switched off, on the scale of `age` */
  off?: number;
  geo?: readonly (readonly [country: Country, url: string])[];
  variants?: readonly (readonly [url: string, weight: number])[];
}

const shop = "https://shop.alderpine.example";
const www = "https://www.alderpine.example";

/**
 * The most popular links, first. Each state and option is among them, so that an account with few links has them, too.
 * The company and its partners are made up, under a top-level domain that is reserved for that (RFC 2606).
 */
export const featured: readonly LinkIdea[] = [
  { title: "Get the app", url: `${www}/app`, slug: "get", age: 1, rhythm: "steady" },
  {
    title: "Autumn collection",
    url: `${shop}/collections/autumn?utm_source=instagram&utm_medium=social&utm_campaign=autumn`,
    slug: "autumn",
    age: 0.24,
    rhythm: "launch",
    channel: "instagram",
  },
  {
    title: "Mid-season sale: hero image test",
    url: `${shop}/sale`,
    slug: "sale",
    age: 0.1,
    rhythm: "launch",
    variants: [
      [`${shop}/sale?hero=photo`, 70],
      [`${shop}/sale?hero=film`, 30],
    ],
  },
  {
    title: "Find a shop near you",
    url: `${www}/shops`,
    slug: "shops",
    age: 0.97,
    rhythm: "steady",
    geo: [
      ["DE", "https://de.alderpine.example/laeden"],
      ["FR", "https://fr.alderpine.example/boutiques"],
      ["JP", "https://jp.alderpine.example/stores"],
    ],
  },
  {
    title: "Spring collection",
    url: `${shop}/collections/spring`,
    slug: "spring",
    age: 0.72,
    rhythm: "launch",
    channel: "instagram",
  },
  {
    title: "Newsletter sign-up",
    url: `${www}/newsletter`,
    slug: "newsletter",
    age: 0.9,
    rhythm: "steady",
    variants: [
      [`${www}/newsletter?form=short`, 2],
      [`${www}/newsletter?form=long`, 1],
      [`${www}/newsletter?form=quiz`, 1],
    ],
  },
  {
    title: "Summer festival: programme and tickets",
    url: "https://events.alderpine.example/summer-festival",
    slug: "summer-festival",
    age: 0.55,
    rhythm: "launch",
    expires: 0.33,
  },
  {
    title: "The Long Way Home: watch the film",
    url: "https://films.alderpine.example/the-long-way-home",
    slug: "film",
    age: 0.44,
    rhythm: "launch",
    channel: "youtube",
  },
  {
    title: "Members: early access to the winter line",
    url: `${shop}/early-access/winter?utm_source=newsletter&utm_medium=email&utm_campaign=early-access`,
    slug: "early-access",
    age: 0.05,
    rhythm: "launch",
    channel: "newsletter",
    password: true,
    expires: -0.12,
  },
  {
    title: "Trail of the month",
    url: "https://www.openstreetmap.org/",
    slug: "trail",
    age: 0.8,
    rhythm: "mailing",
    channel: "newsletter",
  },
  { title: "Gift cards", url: `${shop}/gift-cards`, slug: "gift", age: 0.93, rhythm: "steady" },
  {
    title: "Winter sale",
    url: `${shop}/sale/winter`,
    slug: "winter-sale",
    age: 0.88,
    rhythm: "launch",
    off: 0.68,
  },
  {
    title: "Größentabelle",
    url: "https://de.alderpine.example/groessen",
    slug: "größen",
    age: 0.85,
    rhythm: "steady",
    home: "DE",
  },
  {
    title: "Collection d’été",
    url: "https://fr.alderpine.example/collections/ete",
    slug: "été",
    age: 0.5,
    rhythm: "launch",
    home: "FR",
  },
  {
    title: "東京店オープン",
    url: "https://jp.alderpine.example/stores/tokyo",
    slug: "東京",
    age: 0.3,
    rhythm: "launch",
    home: "JP",
  },
  {
    title: "Press kit",
    url: "https://press.alderpine.example/kit",
    slug: "press-kit",
    age: 0.76,
    rhythm: "steady",
    password: true,
  },
  {
    title: "Summit challenge",
    url: "https://community.alderpine.example/challenges/summit",
    slug: "🏔️",
    age: 0.15,
    rhythm: "launch",
    channel: "instagram",
    expires: -0.05,
  },
  {
    title: "Open positions",
    url: "https://careers.alderpine.example/",
    slug: "jobs",
    age: 0.96,
    rhythm: "steady",
    channel: "linkedin",
  },
  {
    title: "Wholesale price list",
    url: "https://partners.alderpine.example/prices",
    slug: "wholesale",
    age: 0.62,
    rhythm: "steady",
    channel: "partner",
    password: true,
  },
  {
    title: "Repair guide",
    url: "https://help.alderpine.example/repair",
    slug: "repair",
    age: 0.91,
    rhythm: "steady",
    channel: "print",
  },
  {
    title: "Sklep w Łodzi",
    url: `${www}/pl/lodz`,
    slug: "łódź",
    age: 0.27,
    rhythm: "launch",
    home: "PL",
  },
  {
    title: "Coffee and maps, every first Thursday",
    url: "https://events.alderpine.example/coffee-and-maps",
    slug: "☕",
    age: 0.66,
    rhythm: "mailing",
  },
];
