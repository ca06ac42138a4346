import { createHash } from "node:crypto";
import * as z from "zod";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { urlInput } from "../destination.ts";
import { defineOption, json, redirectTo } from "./rule.ts";
import { step } from "./step.ts";

export const maxVariants = 4;
const variantCount = `must have 2 to ${maxVariants} variants`;

const abTestOutput = z.object({ variants: z.array(z.object({ url: z.string(), weight: z.int().min(1) })) });
/** Visitors are split between two to four destinations. */
export type AbTest = z.infer<typeof abTestOutput>;

/** Visitors are split between several destinations. */
export const abTest = defineOption({
  name: "ab_test",
  column: "ab_test",
  type: json<AbTest>(),
  input: fieldsOf({
    variants: z
      .array(
        fieldsOf({
          url: urlInput,
          weight: z
            .int("must be a whole number")
            .min(1, "must be at least 1")
            .max(2 ** 31 - 1, "must be at most 2147483647")
            .describe("Share of visitors, relative to the other weights"),
        }),
      )
      .min(2, variantCount)
      .max(maxVariants, variantCount)
      .describe(`2 to ${maxVariants} destinations, each with its weight`),
  })
    .describe("Splits visitors between the variants by weight. Needs the Pro plan")
    .nullish(),
  output: abTestOutput.nullable(),
  toValue: (test) => test,
  toOutput: (test) => test,
  urlsIn: ({ variants }) => variants.map(({ url }, at) => [`ab_test.variants.${at}.url`, url]),
  decide(test, visit) {
    const variant = variantOf(test, visit.link_id, visit.visitor.id());
    return redirectTo(visit, (test.variants[variant] as AbTest["variants"][number]).url, variant);
  },
  explain(_, verdict, { id }) {
    if (id === null || verdict.kind !== "redirect" || verdict.variant === null) {
      return step(
        "ab_test",
        "Its A/B test decides: each visitor keeps the variant that their cookie selects.",
      );
    }
    const variant = verdict.variant + 1;
    return step("ab_variant", `Its A/B test decides: this visitor keeps variant ${variant}.`, { variant });
  },
});

/**
 * The index of a visitor's variant: always the same for one visitor and link while the weights stay the same, and over
 * many visitors in proportion to the weights.
 */
export function variantOf({ variants }: AbTest, linkId: string, visitorId: string): number {
  const draw = createHash("sha256").update(`${linkId}\n${visitorId}`).digest().readUInt32BE(0) / 2 ** 32;
  const ends = endsOf(variants);
  return ends.findIndex((end) => draw < end);
}

/** A range of draws: from the first up to, but not including, the second; draws are from 0 to 1. */
export type Draws = readonly [from: number, to: number];

/** The draws of the visitors that a test gives this variant; undefined if it has no such variant. */
export function drawsOf({ variants }: AbTest, variant: number): Draws | undefined {
  const ends = endsOf(variants);
  const to = ends[variant];
  return to === undefined ? undefined : [ends[variant - 1] ?? 0, to];
}

/** The URLs that a test has for visitors whose draw is in a range. */
export function urlsFor({ variants }: AbTest, [from, to]: Draws): string[] {
  const ends = endsOf(variants);
  return variants.flatMap(({ url }, at) =>
    (ends[at - 1] ?? 0) < to && (ends[at] as number) > from ? [url] : [],
  );
}

/** Where the draws of each variant end; equal shares are equal numbers, because a division is rounded correctly. */
function endsOf(variants: AbTest["variants"]): number[] {
  const total = totalWeight(variants);
  let sum = 0;
  return variants.map(({ weight }) => (sum += weight) / total);
}

/** The variants with the share of visitors that each one gets; the shares add up to 1. */
export function sharesOf({ variants }: AbTest): { url: string; weight: number; share: number }[] {
  const total = totalWeight(variants);
  return variants.map(({ url, weight }) => ({ url, weight, share: weight / total }));
}

const totalWeight = (variants: AbTest["variants"]) => variants.reduce((sum, { weight }) => sum + weight, 0);
