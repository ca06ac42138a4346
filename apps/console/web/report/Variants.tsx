import { formatShare, partsOf } from "../format.ts";
import { useStrings } from "../strings/strings.tsx";
import { Breakdown } from "./Breakdown.tsx";
import { chanceOf } from "./chance.ts";
import type { Figures } from "./figures.ts";
import type { ReportState } from "./state.ts";

/**
 * The variants of an A/B test: the split that was asked for, the one that happened, and whether chance explains the
 * difference. Nothing says which variant is better, since what visitors do afterwards is not known here.
 */
export function Variants({ figures, state }: { figures: Figures; state: ReportState }) {
  const { analytics } = useStrings();
  const { variants = [] } = figures;
  if (variants.length === 0) return null;
  const weights = variants.reduce((sum, { weight }) => sum + weight, 0);
  const isFiltered = state.search.variant !== undefined;
  const chance = chanceOf(variants);
  return (
    <Breakdown
      title={analytics.abTest}
      name="variant"
      state={state}
      rows={variants.map(({ url, weight, clicks }, at) => ({
        value: String(at + 1),
        clicks,
        label: analytics.variantLabel(at + 1, formatShare(weight, weights), withoutScheme(url)),
      }))}
    >
      {!isFiltered && (
        <p className="note verdict">
          {chance === null
            ? analytics.tooFewClicks
            : chance === 1
              ? analytics.withinChance
              : analytics.beyondChance(Math.round(1 / chance))}{" "}
          {analytics.splitOnly}
        </p>
      )}
    </Breakdown>
  );
}

function withoutScheme(url: string): string {
  const { host, rest } = partsOf(url);
  return host + rest;
}
