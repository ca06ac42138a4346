import * as z from "zod";
import { isCountry } from "../clicks/index.ts";
import { fieldsOf } from "../validation/inputs.ts";
import { line } from "../validation/strings.ts";
import { maxDestinationLength, parseDestination } from "./destination.ts";
import { maxSlugLength, parseSlug } from "./slug.ts";

/** The fields of links as clients send them; create, update and every later door are made of these. */

export const urlInput = z
  .string()
  .meta({
    maxLength: maxDestinationLength,
    description: "Absolute http or https URL",
    examples: ["https://example.com/"],
  })
  .transform((raw, ctx) => {
    const result = parseDestination(raw);
    if (result.ok) return result.url;
    ctx.addIssue({ code: "custom", message: result.reason });
    return z.NEVER;
  });

export const slugInput = z
  .string()
  .meta({
    description: `Letters, digits, emoji, "-" and "_", at most ${maxSlugLength}; case-sensitive`,
    examples: ["launch-2026"],
  })
  .transform((raw, ctx) => {
    const result = parseSlug(raw);
    if (result.ok) return result.slug;
    ctx.addIssue({ code: "custom", message: result.reason });
    return z.NEVER;
  });

export const titleInput = line(255)
  .describe("What the account calls the link; visitors do not see it")
  .transform((title) => (title === "" ? null : title));

const passwordInput = z
  .string()
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters")
  .describe("Asked for before the link redirects; only a hash is stored. Needs the Pro plan");

/** A time with its zone, as a Date. */
export const timeInput = (description: string) =>
  z.iso
    .datetime({ offset: true, error: "must be an ISO 8601 time with a zone, such as 2027-01-31T12:00:00Z" })
    .describe(description)
    .transform((text, ctx) => {
      const date = new Date(text);
      if (date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999) return date;
      ctx.addIssue({ code: "custom", message: "must lie between the years 1970 and 9999" });
      return z.NEVER;
    });

export const countryInput = z
  .string()
  .refine(isCountry, "must be an ISO 3166-1 alpha-2 country code, such as DE")
  .toUpperCase()
  .meta({ description: "ISO 3166-1 alpha-2", examples: ["DE"] });

export const geoRulesInput = z
  .array(fieldsOf({ country: countryInput, url: urlInput }))
  .max(250, "must have at most 250 rules")
  .refine(
    (rules) => new Set(rules.map(({ country }) => country)).size === rules.length,
    "must name each country once",
  )
  .describe("Visitors of these countries go elsewhere. Needs the Pro plan");

const abTestInput = fieldsOf({
  variants: z
    .array(
      fieldsOf({
        url: urlInput,
        weight: z
          .int("must be a whole number")
          .min(1, "must be at least 1")
          .max(2 ** 31 - 1, "must be at most 2147483647")
          .describe("Its share of the visitors, beside the other weights"),
      }),
    )
    .min(2, "must have 2 to 4 variants")
    .max(4, "must have 2 to 4 variants"),
}).describe("Visitors are spread over the variants by weight. Needs the Pro plan");

/** The fields that need the Pro plan, the same wherever a link is made or changed; null clears or leaves out. */
export const optionInputs = {
  password: passwordInput.nullish(),
  expires_at: timeInput("From this time on the link answers 410. Needs the Pro plan").nullish(),
  geo_rules: geoRulesInput.nullish(),
  ab_test: abTestInput.nullish(),
};
