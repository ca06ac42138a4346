import * as z from "zod";
import { isCountry } from "../../clicks/derive/countries.ts";
import { maxDestinationLength, parseDestination } from "../destination.ts";

/** Input fields that rules share with links, buckets and `explain`. */

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

/** The address of a service that has a short URL for each slug below it; stored without a slash at the end. */
export const importFromInput = urlInput
  .refine((url) => !/[?#]/.test(url), "must have no query and no fragment")
  .transform((url) => url.replace(/\/+$/, ""));

export const countryInput = z
  .string()
  .refine(isCountry, "must be an ISO 3166-1 alpha-2 country code, such as DE")
  .toUpperCase()
  .meta({ description: "ISO 3166-1 alpha-2", examples: ["DE"] });
