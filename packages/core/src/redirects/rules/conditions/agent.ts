import { refused } from "../../../kernel/validation/issues.ts";
import * as z from "zod";
import { devices } from "../../../clicks/derive/device.ts";
import { browserNames, systemNames } from "../../../clicks/derive/names.ts";
import type { VisitorAgent } from "../../redirects.types.ts";
import { anyOf, defineCondition, listOf, namedIn, oneAmong } from "./condition.ts";

/** A condition about what a user agent says, in the words of analytics. Programs that are not browsers have none of these. */
const aboutAgent = <const Field extends keyof VisitorAgent>(
  field: Field,
  word: string,
  names: readonly string[],
  example: string,
  description: string,
) =>
  oneAmong({
    name: field,
    word,
    description,
    input: listOf(namedIn(names, example), names.length),
    output: z.array(z.string()),
    factOf: (facts) => facts.agent[field],
  });

export const device = aboutAgent("device", "device", devices, "mobile", `Devices: ${devices.join(", ")}`);
export const os = aboutAgent(
  "os",
  "operating system",
  systemNames,
  "iOS",
  "Operating systems as analytics name them, such as iOS",
);
export const browser = aboutAgent(
  "browser",
  "browser",
  browserNames,
  "Firefox",
  "Browsers as analytics name them, such as Firefox",
);

/** Longer than any tag in use; RFC 5646 section 4.4.1 asks for at least 35. */
const maxTag = 35;

function isLanguageTag(text: string): boolean {
  if (text.length > maxTag) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/**
 * The visitor's language is looked up once among all languages that the link's rules name. So a visitor who prefers German
 * and also reads English gets the rule for German, in whatever order the rules are.
 */
export const language = defineCondition({
  name: "language",
  description:
    "BCP 47. Of all languages named in the link's rules, the visitor's best match (RFC 4647 lookup) must be among these",
  input: listOf(
    z
      .string()
      .trim()
      .refine(
        isLanguageTag,
        refused("invalid_format", "must be a language tag (BCP 47), such as de or pt-BR", {
          format: "language_tag",
          example: "pt-BR",
        }),
      )
      .meta({ examples: ["de"] }),
    50,
  ),
  output: z.array(z.string()),
  compile(tags) {
    const set: ReadonlySet<string | null> = new Set(tags.map((tag) => tag.toLowerCase()));
    return (facts) => set.has(facts.language);
  },
  whyNot(tags, facts) {
    if (facts.acceptLanguage === "") return "the visitor's languages are not known";
    return facts.language === null
      ? `the visitor's languages do not include ${anyOf(tags)}`
      : `${facts.language} matches the visitor better than ${anyOf(tags)}`;
  },
});
