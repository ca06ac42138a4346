import * as z from "zod";
import { countryInput } from "../inputs.ts";
import { anyOf, defineCondition } from "./condition.ts";
import { listOf } from "./list.ts";

export const country = defineCondition({
  name: "country",
  description: "Countries",
  input: listOf(countryInput, 250),
  output: z.array(z.string()),
  compile(countries) {
    const set: ReadonlySet<string | null> = new Set(countries);
    return (facts) => set.has(facts.country);
  },
  miss: (countries, facts) =>
    facts.country === null
      ? "the visitor's country is not known"
      : `the visitor's country is ${facts.country}, not ${anyOf(countries)}`,
});
