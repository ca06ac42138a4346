import type { HistoricLink, HistoricVisit, ImportPosition } from "@terse/core";

/** A link at another service. */
export interface SourceLink extends HistoricLink {
  /** How messages and the result name it, such as its short URL there; different for each link */
  name: string;
  /** Visits that were recorded there one by one */
  visits: number;
  /** Why it is not imported, whatever the account has */
  refusal?: string | undefined;
}

/** A link that is here now, or was before. */
export interface TakenLink {
  name: string;
  id: string;
  visits: number;
}

/** The amount to import, as far as known beforehand. */
export interface Survey {
  links: number;
  visits: number;
  /** What will be lost, in whole sentences */
  losses: string[];
}

/** A source's report about visits that it does not deliver. */
export interface VisitLog {
  /** Visits that the source has of a link, whatever becomes of them */
  found(visits: number): void;
  /** Those that an earlier run imported */
  before(visits: number): void;
  lost(reason: string, visits: number): void;
  /** Something that the operator should know about one link */
  problem(name: string, reason: string): void;
}

/** Another service, or its data in a file. */
export interface Source {
  /** Its name in `import_positions`; must stay the same */
  readonly name: "shlink" | "yourls" | "kutt";
  /** For messages, such as "Shlink at https://s.example" */
  readonly title: string;
  /** Reads the data for the figures; throws a UserError if the source cannot be read. Called first, once. */
  survey(): Promise<Survey>;
  links(): AsyncIterable<SourceLink>;
  /**
   * The visits of links behind their positions, in the order of their positions. In groups, so that all visits of a link on
   * one day are in the same group: visitors are told apart within a group even if the import is interrupted after it.
   */
  visits(
    taken: readonly TakenLink[],
    positions: ReadonlyMap<string, ImportPosition>,
    log: VisitLog,
  ): AsyncIterable<readonly HistoricVisit[]>;
  /** Called last, however the import ended */
  close?(): Promise<void>;
}

/** Larger groups are split, whatever day it is, to bound the memory. */
const maxGroup = 100_000;

/** Groups neighbouring visits with the same key. */
export async function* grouped(
  visits: AsyncIterable<HistoricVisit>,
  keyOf: (visit: HistoricVisit) => string,
): AsyncGenerator<HistoricVisit[], void> {
  let group: HistoricVisit[] = [];
  let key = "";
  for await (const visit of visits) {
    const next = keyOf(visit);
    if (group.length > 0 && (next !== key || group.length === maxGroup)) {
      yield group;
      group = [];
    }
    key = next;
    group.push(visit);
  }
  if (group.length > 0) yield group;
}

/** A title as it may be here: one line of at most 255 characters without broken ones; undefined if nothing is left. */
export function titleOf(text: string | null | undefined): string | undefined {
  const line = (text ?? "")
    .toWellFormed()
    .replaceAll("\uFFFD", "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ");
  return Array.from(line.trim()).slice(0, 255).join("") || undefined;
}

const [mostTags, longestTag] = [20, 50];

/** The tags that a link can have here: a tag that is too long is none, and some go if there are too many. */
export const tagsOf = (names: readonly string[]): string[] =>
  names
    .map((name) =>
      name
        .toWellFormed()
        .replaceAll(/[\p{Cc}\s]+/gu, " ")
        .trim(),
    )
    .filter((name) => name !== "" && Array.from(name).length <= longestTag)
    .slice(0, mostTags);

/** Why a link that has broken characters is refused: its destination would be another one. */
export const refusalOfBroken = (fields: object): string | undefined =>
  JSON.stringify(fields).includes("\uFFFD")
    ? "has a broken character (\uFFFD): the file was saved in another encoding; export it again as UTF-8"
    : undefined;

/** A time as milliseconds since the epoch, or undefined if it cannot be one of a link. */
export const creationAt = (time: number): { created_at?: Date } =>
  isPossibleTime(time) ? { created_at: new Date(time) } : {};

/** The UTC day of a visit, as a number. */
export const dayOf = ({ time }: HistoricVisit): number => Math.floor(time / 86_400_000);

/** Links were not shortened before 2000, and a clock that is wrong by a day is still believed. */
export const isPossibleTime = (time: number): boolean =>
  time >= Date.UTC(2000, 0) && time <= Date.now() + 86_400_000;
