import type { AppRouter } from "@terse/core";
import { healthStatuses, linkStates, listedOptions } from "@terse/core/browser";
import type { inferRouterInputs } from "@trpc/server";
import { viewerZone } from "../../kit/format/format.ts";
import { addDays, dayIn } from "../../kit/format/days.ts";
import { momentIn } from "../../kit/format/zone.ts";

type ListInput = NonNullable<inferRouterInputs<AppRouter>["links"]["list"]>;

/** Days back from today, as the address writes them */
export const ages = ["1", "7", "30", "90", "365"] as const;
export const silences = ["30", "90", "180", "365"] as const;
export const sorts = [
  "-created_at",
  "created_at",
  "-click_count",
  "click_count",
  "-last_click_at",
  "last_click_at",
  "-updated_at",
  "updated_at",
  "slug",
  "-slug",
] as const;
export const usualSort = sorts[0];
export type Sort = (typeof sorts)[number];

/** What the address of the list says; every member can be missing. */
export interface LinksSearch {
  q?: string;
  /** Opens the builder with this URL */
  new?: string;
  state?: (typeof linkStates)[number];
  domain?: string;
  has?: (typeof listedOptions)[number];
  health?: (typeof healthStatuses)[number];
  /** Made by oneself ("me"), by people who left ("left"), or by the person with this id */
  by?: string;
  /** Names of tags, all of which a link must have */
  tag?: string[];
  /** Created in the last days, today included */
  created?: (typeof ages)[number];
  /** Created between these days of the viewer, both included, written YYYY-MM-DD */
  from?: string;
  to?: string;
  /** Not clicked for this many days */
  unused?: (typeof silences)[number];
  sort?: Sort;
}

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const day = (value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
const maker = /^(?:me|left|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const maxTags = 20;
const texts = (value: unknown): string[] | undefined => {
  const given = [value].flat().filter((each) => typeof each === "string" && each !== "") as string[];
  return given.length > 0 ? [...new Set(given)].slice(0, maxTags) : undefined;
};
const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === String(value));

/** Reads the address. What it should not contain is left out. */
export function readSearch(raw: Record<string, unknown>): LinksSearch {
  const search = {
    q: text(raw["q"]),
    new: typeof raw["new"] === "string" ? raw["new"] : undefined,
    state: oneOf(linkStates, raw["state"]),
    domain: text(raw["domain"]),
    has: oneOf(listedOptions, raw["has"]),
    health: oneOf(healthStatuses, raw["health"]),
    by: maker.test(String(raw["by"])) ? String(raw["by"]) : undefined,
    tag: texts(raw["tag"]),
    created: oneOf(ages, raw["created"]),
    from: day(raw["from"]),
    to: day(raw["to"]),
    unused: oneOf(silences, raw["unused"]),
    sort: oneOf(sorts, raw["sort"]),
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as LinksSearch;
}

const filterNames = [
  "state",
  "domain",
  "has",
  "health",
  "by",
  "tag",
  "created",
  "from",
  "to",
  "unused",
] as const;

/** The address with one more tag. */
export const withTag = (search: LinksSearch, tag: string): LinksSearch =>
  readSearch({ ...search, tag: [...(search.tag ?? []), tag] });

/** The address without its filters. */
export const withoutFilters = (search: LinksSearch): LinksSearch =>
  Object.fromEntries(
    Object.entries(search).filter(([name]) => !(filterNames as readonly string[]).includes(name)),
  );

export const isFiltered = (search: LinksSearch): boolean => filterNames.some((name) => name in search);

/** The question to the API that an address stands for. Days begin at the viewer's midnight. */
export function inputOf({
  q,
  state,
  domain,
  has,
  health,
  by,
  tag,
  created,
  from,
  to,
  unused,
  sort,
}: LinksSearch): ListInput {
  const createdFrom = created ? midnight(1 - Number(created)) : from && midnight(0, from);
  const createdTo = to && midnight(1, to);
  return {
    ...(q && { search: q }),
    ...(state && { state }),
    ...(domain && { domain }),
    ...(has && { has }),
    ...(health && { health }),
    ...(by && { created_by: by }),
    ...(tag && { tag }),
    ...(createdFrom && { created_from: createdFrom }),
    ...(createdTo && { created_to: createdTo }),
    ...(unused && { last_click_before: midnight(-Number(unused)) }),
    ...(sort && { sort }),
  };
}

/** The start of a day (YYYY-MM-DD; today by default) in the viewer's time zone, some days later, as ISO 8601 in UTC. */
const midnight = (days: number, date = dayIn(viewerZone, Date.now())): string =>
  momentIn(viewerZone, `${addDays(date, days)}T00:00`);
