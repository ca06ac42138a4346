import * as z from "zod";
import { type Continent, continentOf, continents } from "../../../clicks/index.ts";
import { anyOf, defineCondition } from "./condition.ts";
import { listOf, namedIn } from "./list.ts";

export const continent = defineCondition({
  name: "continent",
  input: listOf(namedIn<Continent>(continents), 7).describe(`Continents: ${continents.join(", ")}`),
  output: z.array(z.enum(continents)).describe("Continents"),
  compile(names) {
    const set: ReadonlySet<Continent | null> = new Set(names);
    return (facts) => set.has(continentOf(facts.country));
  },
  miss(names, facts) {
    const found = continentOf(facts.country);
    return found === null
      ? "the visitor's continent is not known"
      : `the visitor's continent is ${found}, not ${anyOf(names)}`;
  },
});
