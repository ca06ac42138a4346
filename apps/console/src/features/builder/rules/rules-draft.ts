import type { Link } from "../../../kit/api/link.ts";
import { withScheme } from "../../../kit/format/url.ts";

export type Rule = Link["rules"][number];
export type Conditions = Rule["when"];
export type ConditionName = keyof Conditions;
export type Weekly = NonNullable<Conditions["weekly"]>;
export type Parameter = NonNullable<Conditions["query"]>[number];

/** In the order in which they are offered. */
export const conditionNames = [
  "device",
  "os",
  "browser",
  "language",
  "country",
  "continent",
  "referrer",
  "query",
  "weekly",
  "after",
  "before",
  "ip",
] as const satisfies readonly ConditionName[];

/** Conditions are in the order in which they were added; a time that is not entered yet is empty. */
export interface ConditionalDraft {
  /** Tells rules apart while they move */
  key: number;
  name: string;
  when: Conditions;
  url: string;
}

export const maxRules = 50;
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

let lastKey = 0;
export const newConditional = (rule: Rule = { when: {}, url: "" }): ConditionalDraft => ({
  key: ++lastKey,
  name: rule.name ?? "",
  when: inOrder(rule.when),
  url: rule.url,
});

/** Conditions in the order in which they are offered: the database does not keep one. */
export const inOrder = (when: Conditions): Conditions =>
  Object.fromEntries(conditionNames.filter((name) => name in when).map((name) => [name, when[name]]));

/** What a condition is when it is added. */
export function newCondition(name: ConditionName, tz: string): Conditions {
  switch (name) {
    case "after":
    case "before":
      return { [name]: "" };
    case "weekly":
      return { weekly: { tz, days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" } };
    case "query":
      return { query: [{ name: "" }] };
    default:
      return { [name]: [] };
  }
}

/** The rules as the API takes them. */
export const rulesOf = (drafts: readonly ConditionalDraft[]): Rule[] =>
  drafts.map(({ name, when, url }) => ({
    when,
    url: withScheme(url),
    ...(name.trim() !== "" && { name: name.trim() }),
  }));

/** False while something is still to be entered. */
export const isComplete = ({ when, url }: ConditionalDraft): boolean =>
  url.trim() !== "" && Object.keys(when).length > 0 && Object.values(when).every(isEntered);

function isEntered(value: Conditions[ConditionName]): boolean {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every((item) => typeof item === "string" || item.name !== "");
  }
  return typeof value === "object" ? value.days.length > 0 : value !== "";
}
