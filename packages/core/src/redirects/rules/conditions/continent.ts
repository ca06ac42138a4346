import * as z from "zod";
import { type Continent, continentOf, continents } from "../../../clicks/derive/continents.ts";
import { anyOf, defineCondition } from "./condition.ts";
import { listOf, namedIn } from "./list.ts";

export const continent = defineCondition({
  name: "continent",
  description: `Continents: ${continents.join(", ")}`,
  input: listOf(namedIn<Continent>(continents, "EU"), 7),
  output: z.array(z.enum(continents)),
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
