import type { Answers } from "../../kit/api/answers.ts";
import { visitBy } from "./agents.ts";
import type { AssumedVisitor } from "./assumed.ts";
import type { Draft } from "./draft.ts";

export type Explanation = Answers["links"]["explainDraft"]["visits"][number];

/** Countries and times that the person asks about. */
export interface Asked {
  countries: readonly string[];
  /** ISO 8601 in UTC */
  times: readonly string[];
  /** What all visitors have in common */
  visitor: AssumedVisitor;
}

/**
 * One visit to ask about; the visitor has entered the password. Without a country, it comes from a country that no rule names;
 * without a time, it is made now.
 */
export interface Visit {
  country?: string;
  at?: string;
  user_agent?: string;
  language?: string;
  referrer?: string;
  query?: string;
  ip?: string;
  unlocked: true;
}

/** More rules than this are not drawn; the service answers 50 visits at once. */
const maxCountries = 9;
const maxTimes = 4;

/** The visits that say where everybody ends up: from each country of the rules and from elsewhere, now and later. */
export function visitsOf({ open, rules, geo_rules, starts_at, expires_at }: Draft, asked: Asked): Visit[] {
  const conditional = rules.flatMap(({ when }) => when.country ?? []);
  const ruled = open.includes("geo_rules") ? geo_rules.flatMap(({ country }) => country ?? []) : [];
  const countries = [...new Set([...asked.countries, ...conditional, ...ruled])].slice(0, maxCountries);
  const end = open.includes("expires_at") && expires_at ? [expires_at] : [];
  const begin = starts_at && new Date(starts_at) > new Date() ? [starts_at] : [];
  const periods = rules
    .flatMap(({ when }) => [when.after ?? "", when.before ?? ""])
    .filter((at) => at !== "");
  const times = [...new Set([...asked.times, ...begin, ...end, ...periods])].toSorted().slice(0, maxTimes);
  const visitor = visitBy(asked.visitor);
  const places: Visit[] = [
    ...countries.map((country) => ({ ...visitor, country, unlocked: true as const })),
    { ...visitor, unlocked: true },
  ];
  return [undefined, ...times].flatMap((at) => places.map((place) => ({ ...place, ...(at && { at }) })));
}

/** Visitors who end up in the same place at the same time. */
export interface Group {
  /** Undefined for now */
  at: string | undefined;
  /** The countries among them that were asked about */
  countries: readonly string[];
  /** True if visitors from everywhere else are among them */
  isRest: boolean;
  answer: Explanation;
}

/** Puts the visits of each time together that end up in the same place, those from everywhere else last. */
export function groupsOf(visits: readonly Visit[], answers: readonly Explanation[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, { country, at }] of visits.entries()) {
    const answer = answers[index];
    if (!answer) continue;
    const { outcome, location, variants } = answer;
    const key = JSON.stringify([at, outcome, location, variants]);
    const { countries = [], isRest = false } = groups.get(key) ?? {};
    groups.set(key, {
      at,
      countries: country === undefined ? countries : [...countries, country],
      isRest: isRest || country === undefined,
      answer,
    });
  }
  const times = [...new Set(visits.map(({ at }) => at))];
  return [...groups.values()].toSorted(
    (one, other) =>
      times.indexOf(one.at) - times.indexOf(other.at) || Number(one.isRest) - Number(other.isRest),
  );
}
