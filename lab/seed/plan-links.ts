import { featured, type LinkIdea, type Rhythm } from "./data/featured.ts";
import { pathOf, series } from "./data/series.ts";
import type { Country } from "./data/countries.ts";
import type { Channel } from "./data/referrers.ts";
import type { Random } from "../clicks/random.ts";

/** The time that is seeded, in milliseconds since the epoch. */
export interface Period {
  from: number;
  /** Now */
  to: number;
}

/** Something that can be visited, and what decides when and by whom. */
export interface Target {
  /** Popularity relative to other targets */
  weight: number;
  /** When it can be visited: from its creation until it expired, was switched off, or now */
  life: Period;
  rhythm: Rhythm;
  channel: Channel;
  /** Where most visitors are, null for the whole world */
  home: Country | null;
  /** Weights of an A/B test's variants, empty without one */
  variants: readonly number[];
}

/** A link to create. */
export interface PlannedLink extends Target {
  title: string;
  url: string;
  slug: string;
  tags: readonly string[];
  hasPassword: boolean;
  expiresAt: number | null;
  switchedOffAt: number | null;
  geoRules: { country: Country; url: string }[];
  abTest: { variants: { url: string; weight: number }[] } | null;
}

export const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** The Zipf-Mandelbrot law: like Zipf's, but without one link that has most of the clicks. */
const popularityOf = (rank: number) => (rank + 4) ** -0.95;

/** Returns links, most popular first; the same ones for the same random numbers and period. */
export function planLinks(count: number, period: Period, random: Random): PlannedLink[] {
  const links = ideas(count, random).map((idea, rank) => planLink(idea, rank, period, random));
  const uses = new Map<string, number>();
  return links.map((link) => {
    const use = (uses.get(link.slug) ?? 0) + 1;
    uses.set(link.slug, use);
    return use === 1 ? link : { ...link, slug: `${link.slug}-${use}` };
  });
}

function ideas(count: number, random: Random): LinkIdea[] {
  const all = [...featured];
  for (let round = 1; all.length < count; round++) {
    for (const idea of random.shuffled(series)) {
      // A growing account creates more links as time goes on.
      const age = 0.99 * (1 - random.next() ** 0.75);
      all.push({ ...(round === 1 ? idea : again(idea, round)), age, ...extras(random) });
    }
  }
  return all.slice(0, count);
}

/** A link to the same page for another season. */
const again = (idea: Omit<LinkIdea, "age">, round: number) => ({
  ...idea,
  title: `${idea.title} (${round})`,
  url: `${idea.url}${idea.url.includes("?") ? "&" : "?"}season=${round}`,
});

/** Options that some of the links have. */
function extras(random: Random): Partial<LinkIdea> {
  const draw = random.next();
  if (draw < 0.02) return { password: true };
  if (draw < 0.05) return { expires: random.next() * 0.4 };
  if (draw < 0.08) return { expires: -0.02 - random.next() * 0.3 };
  if (draw < 0.11) return { off: random.next() * 0.5 };
  return {};
}

function planLink(idea: LinkIdea, rank: number, period: Period, random: Random): PlannedLink {
  const { geo = [], variants = [], expires, off } = idea;
  const createdAt = inOfficeHours(timeAt(idea.age, period), period, random);
  /** The time at an age, or halfway between creation and now if it is before the creation */
  const later = (age: number | undefined) => {
    if (age === undefined) return null;
    const time = timeAt(age, period);
    return time > createdAt ? time : Math.ceil((createdAt + period.to) / 2);
  };
  const expiresAt = later(expires);
  const switchedOffAt = later(off);
  return {
    title: idea.title,
    url: idea.url,
    slug: idea.slug ?? slugOf(idea, random),
    tags: tagsOf(idea),
    hasPassword: idea.password ?? false,
    expiresAt,
    switchedOffAt,
    geoRules: geo.map(([country, url]) => ({ country, url })),
    abTest: variants.length > 0 ? { variants: variants.map(([url, weight]) => ({ url, weight })) } : null,
    weight: popularityOf(rank),
    life: { from: createdAt, to: Math.min(period.to, expiresAt ?? Infinity, switchedOffAt ?? Infinity) },
    rhythm: idea.rhythm,
    channel: idea.channel ?? "web",
    home: idea.home ?? null,
    variants: variants.map(([, weight]) => weight),
  };
}

/** The time at an age: 1 is the beginning of the period, 0 its end. */
export const timeAt = (age: number, { from, to }: Period) => Math.round(to - age * (to - from));

/** Moves a time to working hours of a weekday, if that stays within the period. */
function inOfficeHours(time: number, { from, to }: Period, random: Random): number {
  const day = time - (time % dayMs);
  const weekend = { 0: 1, 6: 2 }[new Date(day).getUTCDay()] ?? 0;
  const moved = day + weekend * dayMs + Math.floor((8 + random.next() * 10) * hourMs);
  return moved >= from && moved < to ? moved : time;
}

/** What a link is about, and where it was posted. */
function tagsOf({ url, channel = "web" }: LinkIdea): string[] {
  const { hostname, pathname } = new URL(url);
  const [part = "", ...rest] = hostname.split(".");
  const about = pathname.startsWith("/campaigns/") ? "campaign" : (tagsOfParts[part] ?? "company");
  const isOwn = rest.join(".") === "alderpine.example";
  return [isOwn ? about : "partners", ...(channel === "web" || channel === "partner" ? [] : [channel])];
}

/** Tags by the part of the company's site that a link leads to */
const tagsOfParts: Record<string, string> = {
  shop: "products",
  blog: "journal",
  events: "events",
  careers: "jobs",
  help: "help",
};

/** Half of the slugs are words of the title; the others look generated. */
function slugOf({ title, channel = "web" }: LinkIdea, random: Random): string {
  if (random.chance(0.5)) return drawSlug(random);
  const [subject = ""] = title.split(" · ");
  return [...pathOf(subject).split("-").slice(0, 3), ...slugEndings[channel]].join("-");
}

const slugEndings: Record<Channel, readonly string[]> = {
  web: [],
  newsletter: ["news"],
  instagram: ["ig"],
  youtube: ["yt"],
  linkedin: ["li"],
  partner: ["partner"],
  print: ["qr"],
};

const slugCharacters = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ";

/** Drawn here and not by the service, so that the same seed returns the same short URLs. */
const drawSlug = (random: Random): string =>
  Array.from({ length: 7 }, () => slugCharacters[random.below(slugCharacters.length)]).join("");
