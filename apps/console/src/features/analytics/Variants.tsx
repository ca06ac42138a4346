import { useQueries } from "@tanstack/react-query";
import { formatShare, partsOf } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Breakdown } from "./Breakdown.tsx";
import { chanceOf } from "./chance.ts";
import { type Figures, figuresOptions, questionOf } from "./figures.ts";
import { withFilter, type ReportState } from "./search.ts";

/**
 * The variants of an A/B test: the split that was asked for, the one that happened, and whether chance explains the
 * difference. Nothing says which variant is better, since what visitors do afterwards is not known here.
 */
export function Variants({ figures, state }: { figures: Figures; state: ReportState }) {
  const { analytics } = useStrings();
  const { variants = [] } = figures;
  if (variants.length === 0) return null;
  const weights = variants.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <Breakdown
      title={analytics.abTest}
      name="variant"
      state={state}
      rows={variants.map(({ url, weight, clicks }, at) => ({
        value: String(at + 1),
        clicks,
        label: analytics.variantLabel(
          at + 1,
          formatShare(weight, weights),
          partsOf(url).rest || partsOf(url).host,
        ),
      }))}
      note={state.search.variant === undefined && <Verdict variants={variants} state={state} />}
    />
  );
}

/** Says whether chance explains the split. Visitors are compared, since all clicks of one go to the same variant. */
function Verdict({ variants, state }: { variants: readonly { weight: number }[]; state: ReportState }) {
  const { analytics } = useStrings();
  const { id, search, zone } = state;
  const answers = useQueries({
    queries: variants.map((_, at) =>
      figuresOptions(id, questionOf(withFilter(search, "variant", [String(at + 1)]), zone)),
    ),
  });
  if (!answers.every(({ isSuccess, isPlaceholderData }) => isSuccess && !isPlaceholderData)) return null;
  const chance = chanceOf(
    variants.map(({ weight }, at) => ({ weight, count: answers[at]?.data?.visitors ?? 0 })),
  );
  const sentence =
    chance === null
      ? analytics.tooFewVisitors
      : chance === 1
        ? analytics.withinChance
        : analytics.beyondChance(Math.round(1 / chance));
  return (
    <p className="note split-verdict">
      {sentence} {analytics.splitOnly}
    </p>
  );
}
