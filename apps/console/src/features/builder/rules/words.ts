import { countryName, formatMinute, languageName } from "../../../kit/format/format.ts";
import type { Strings } from "../../../words/en.ts";
import { type ConditionName, type Conditions, inOrder, type Parameter, type Weekly } from "./rules-draft.ts";

/** One of a condition's values, as people call it. */
export function choiceName(name: ConditionName, value: string, { analytics }: Strings): string {
  switch (name) {
    case "country":
      return countryName(value);
    case "continent":
      return analytics.continents[value] ?? value;
    case "language":
      return languageName(value);
    case "device":
      return analytics.devices[value] ?? value;
    default:
      return value;
  }
}

/** The conditions of a rule as one sentence, such as "Device is mobile, and country is Germany or Austria". */
export function inWords(when: Conditions, strings: Strings): string {
  const { rules } = strings;
  const parts = Object.entries(inOrder(when)).map(([key, value]) => {
    const name = key as ConditionName;
    switch (name) {
      case "query":
        return rules.all(
          (value as Parameter[]).map(({ name: parameter, value: wanted }) =>
            rules.parameter(parameter, wanted),
          ),
        );
      case "weekly":
        return weeklyInWords(value as Weekly, strings);
      case "after":
      case "before":
        return rules.period[name](formatMinute(value as string));
      default:
        return rules.is(
          rules.conditions[name],
          rules.any((value as string[]).map((item) => choiceName(name, item, strings))),
        );
    }
  });
  return rules.all(parts);
}

function weeklyInWords({ tz, days, from, to }: Weekly, { rules }: Strings): string {
  return rules.weekly(rules.listed(days.map((day) => rules.days[day])), from, to, tz);
}
