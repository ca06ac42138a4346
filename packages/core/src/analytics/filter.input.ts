import { refused } from "../kernel/validation/issues.ts";
import * as z from "zod";
import { botClasses } from "../clicks/derive/bot-class.ts";
import { browserNames, systemNames } from "../clicks/derive/names.ts";
import { campaignValueOf } from "../clicks/derive/campaign.ts";
import { channels, isReferrerHost, otherReferrers } from "../clicks/derive/referrer.ts";
import { continents, isCountry } from "../clicks/derive/countries.ts";
import { devices } from "../clicks/derive/device.ts";
import { type Dimension, dimensions } from "../clicks/dimension-names.ts";
import { hostToAscii } from "../kernel/host-names.ts";
import { maxVariants } from "../redirects/rules/ab-test.ts";
import { tagInput } from "../links/tags/tag.schema.ts";
import { keyOfTag } from "../kernel/text.ts";
import { isId } from "../kernel/validation/ids.ts";
import { directReferrer, noneLabel, unknown } from "./breakdowns/lists.ts";
import { anyBot, type Filters } from "./question.ts";

/** Filters of clicks, by the names that reports use. */

/** Values of one name in one filter, and characters of a value. */
const maxValues = 100;
const maxLength = 300;

interface Values {
  /** A description of the values, for documentation and errors */
  what: string;
  example: string;
  /** The value as it is stored, "" for none; null if there can be no such value */
  stored(text: string): string | null;
}

/** One of a closed set, in any case, or unknown. */
const among = (what: string, names: readonly string[], example: string): Values => {
  const known = new Map([...names.map((name) => [name.toLowerCase(), name] as const), [unknown, ""]]);
  return { what, example, stored: (text) => known.get(text.toLowerCase()) ?? null };
};

const host = /^[^\s/\\?#@%*:]+$/;

function hostWithPort(text: string): string | null {
  const [, name = "", port = ""] = /^(.*?)(:\d{1,5})?$/s.exec(text) ?? [];
  const ascii = host.test(name) ? hostToAscii(name).replace(/\.$/, "") : "";
  return ascii === "" ? null : ascii + port;
}

/** Of a parameter such as utm_source. */
const campaignValue = (what: string, example: string): Values => ({
  what: `${what}, as sent, or ${noneLabel}`,
  example,
  stored: (text) => (text.trim() === "" || /\p{Cc}/u.test(text) ? null : campaignValueOf(text)),
});

function placeNamed(text: string): string | null {
  if (text === "" || /\p{Cc}/u.test(text)) return null;
  return text.toLowerCase() === unknown ? "" : text;
}

const values = {
  country: {
    what: "an ISO 3166-1 country such as DE, or unknown",
    example: "DE",
    stored: (text) => (text.toLowerCase() === unknown ? "" : isCountry(text) ? text.toUpperCase() : null),
  },
  continent: among(`one of ${continents.join(", ")} and unknown`, continents, "EU"),
  region: {
    what: "a region as reports name it, such as DE-BY (ISO 3166-2), or unknown",
    example: "DE-BY",
    stored: (text) => placeNamed(/^[a-z]{2}-[a-z\d]{1,3}$/i.test(text) ? text.toUpperCase() : text),
  },
  city: {
    what: "a city as reports name it, such as Munich, DE-BY, or unknown",
    example: "Munich, DE-BY",
    stored: placeNamed,
  },
  device: among(`one of ${devices.join(", ")} and unknown`, devices, "mobile"),
  browser: among("a browser as reports name it, such as Firefox", browserNames, "Firefox"),
  os: among("a system as reports name it, such as Android", systemNames, "Android"),
  referrer: {
    what: `a host as reports name it, or ${directReferrer}`,
    example: "google.com",
    stored(text) {
      const name = text.toLowerCase();
      if (name === directReferrer) return "";
      return name === otherReferrers || isReferrerHost(name) ? name : null;
    },
  },
  channel: among(`one of ${channels.join(", ")} and unknown`, channels, "search"),
  utm_source: campaignValue("the source of a campaign", "newsletter"),
  utm_medium: campaignValue("the medium of a campaign", "email"),
  utm_campaign: campaignValue("the name of a campaign", "spring"),
  utm_term: campaignValue("the keyword of a campaign", "shoes"),
  utm_content: campaignValue("the content of a campaign", "button"),
  link_id: {
    what: "the id of a link",
    example: "01900000-0000-7000-8000-000000000000",
    stored: (text) => (isId(text.toLowerCase()) ? text.toLowerCase() : null),
  },
  tag: {
    what: `the name of a tag, or ${noneLabel}; links count by their current tags`,
    example: "launch",
    stored(text) {
      if (text.toLowerCase() === noneLabel) return "";
      const name = tagInput.safeParse(text);
      return name.success ? keyOfTag(name.data) : null;
    },
  },
  domain: {
    what: "the host of short links, such as go.example.com",
    example: "go.example.com",
    stored: hostWithPort,
  },
  variant: {
    what: `the position of a variant in its A/B test, from 1 to ${maxVariants}, or ${noneLabel}`,
    example: "1",
    // Places are stored from 0.
    stored(text) {
      if (text.toLowerCase() === noneLabel) return "";
      return /^\d$/.test(text) && +text >= 1 && +text <= maxVariants ? String(+text - 1) : null;
    },
  },
  bot: {
    ...among("", [...botClasses, anyBot], "ai"),
    what: `one of ${botClasses.join(", ")}, unknown and ${anyBot}; counts visits by these bots instead of clicks by people`,
  },
} as const satisfies Record<Dimension, Values>;

/** The values of one name: one of `is` if there are any, and none of `not`. */
export interface Choice {
  readonly is: readonly string[];
  readonly not: readonly string[];
}

const count = `must have 1 to ${maxValues} values`;

const one = (name: Dimension) => {
  const { what, example, stored }: Values = values[name];
  const text = z.string().meta({ examples: [example] });
  return z
    .union([text, z.array(text).min(1, count)], { error: "must be text or a list of texts" })
    .transform((given, context): Choice => {
      const refuse = (...said: Parameters<typeof refused>) => {
        context.issues.push({ ...refused(...said), input: given });
        return z.NEVER;
      };
      const texts = [given].flat();
      if (texts.length > maxValues) return refuse("too_many", count, { max: maxValues });
      const is = new Set<string>();
      const not = new Set<string>();
      for (const each of texts) {
        if (each.length > maxLength)
          return refuse("too_long", `must have at most ${maxLength} characters`, { max: maxLength });
        const isNegated = each.startsWith("!");
        const value = stored((isNegated ? each.slice(1) : each).replace(/^\\(?=\\*!)/, ""));
        if (value === null) return refuse("invalid_format", `must be ${what}`, { format: name, example });
        (isNegated ? not : is).add(value);
      }
      return { is: [...is].toSorted(), not: [...not].toSorted() };
    })
    .meta({ description: what.charAt(0).toUpperCase() + what.slice(1) })
    .optional();
};

/** For the description of an operation. */
export const filterNote =
  'Filters can be repeated: values of the same name are alternatives, and every name must match. "!" before a value excludes it.';

/**
 * The fields of a filter. Each takes one value or several alternatives; clicks must match all names. A value after
 * "!" is excluded. A value that begins with "!", or with backslashes and "!", is written with a backslash before it.
 */
export const filterFields = Object.fromEntries(dimensions.map((name) => [name, one(name)])) as {
  [Name in Dimension]: ReturnType<typeof one>;
};

/** The conditions in an input, in a fixed order. */
export const filtersOf = (input: { readonly [Name in Dimension]?: Choice | undefined }): Filters =>
  dimensions.flatMap((dimension) => {
    const { is = [], not = [] } = input[dimension] ?? {};
    return [
      { dimension, values: is, negated: false },
      { dimension, values: not, negated: true },
    ].filter(({ values: some }) => some.length > 0);
  });

const maxGroupBy = 2;
const groupByError = `must be one or two of ${dimensions.join(", ")}`;
const groupByText = z.string().meta({ examples: ["country,device"] });
const isDimension = (name: string): name is Dimension => dimensions.some((known) => known === name);

/** What clicks are grouped by: one or two names, as a list or with a comma between them. */
export const groupBy = z
  .union([groupByText, z.array(groupByText).min(1, groupByError).max(maxGroupBy, groupByError)], {
    error: groupByError,
  })
  .transform((given, context): readonly Dimension[] => {
    const names = [...new Set([given].flat().flatMap((text) => text.split(",", maxGroupBy + 1)))];
    if (names.length > 0 && names.length <= maxGroupBy && names.every(isDimension)) return names;
    context.issues.push({
      ...refused("invalid_choice", groupByError, { choices: dimensions, max: maxGroupBy }),
      input: given,
    });
    return z.NEVER;
  })
  .meta({
    description:
      "One or two filter names, such as country,device: `groups` then has the clicks for each value, or each pair of values",
  })
  .optional();
