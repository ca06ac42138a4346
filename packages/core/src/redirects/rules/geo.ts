import { refused } from "../../kernel/validation/issues.ts";
import * as z from "zod";
import { isCountry } from "../../clicks/derive/countries.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { urlInput } from "../destination.ts";
import { defineOption, json, passed, redirectTo } from "./rule.ts";
import { step } from "./step.ts";

export const countryInput = z
  .string()
  .refine(
    isCountry,
    refused("invalid_format", "must be an ISO 3166-1 alpha-2 country code, such as DE", {
      format: "country",
      example: "DE",
    }),
  )
  .toUpperCase()
  .meta({ description: "ISO 3166-1 alpha-2", examples: ["DE"] });

const geoRuleOutput = z.object({ country: z.string(), url: z.string() });
/** Visitors from a country (ISO 3166-1 alpha-2, upper case) are sent elsewhere. */
export type GeoRule = z.infer<typeof geoRuleOutput>;

/** Visitors from some countries are sent elsewhere. */
export const geo = defineOption({
  name: "geo",
  column: "geo_rules",
  type: json<GeoRule[]>(),
  input: z
    .array(fieldsOf({ country: countryInput, url: urlInput }))
    .max(250, "must have at most 250 rules")
    .refine(
      (rules) => new Set(rules.map(({ country }) => country)).size === rules.length,
      refused("duplicate", "must name each country once", { field: "country" }),
    )
    .describe("Visitors from these countries are sent elsewhere. Needs the Pro plan")
    .nullish(),
  output: z.array(geoRuleOutput),
  toValue: (rules) => (rules.length > 0 ? rules : null),
  toOutput: (rules) => rules ?? [],
  urlsIn: (rules) => rules.map(({ url }, at) => [`geo_rules.${at}.url`, url]),
  decidesAtOnce: true,
  decide(rules, visit) {
    const url = geoUrl(rules, visit.visitor.country());
    return url === null ? passed : redirectTo(visit, url);
  },
  explain(_, verdict, { country }) {
    if (country === null)
      return step("country_unknown", "The visitor's country is not known, so no country rule applies.");
    return verdict.kind === "passed"
      ? step("no_country_rule", `None of its country rules is for ${country}.`, { country })
      : step("country_rule", `Its rule for ${country} decides.`, { country });
  },
});

/** The URL of the rule for a country; null if there is none or the country is unknown. */
export function geoUrl(rules: readonly GeoRule[], country: string | null): string | null {
  return rules.find((rule) => rule.country === country)?.url ?? null;
}
