import { formatShare } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { FigureTable } from "./FigureTable.tsx";
import type { Figures } from "./figures.ts";
import { valueName } from "./names.ts";

/** What made visits bots', by kind and rule: most visits first. */
export function Bots({ figures: { bots, bots_by } }: { figures: Figures }) {
  const strings = useStrings();
  const { analytics, report } = strings;
  if (bots_by.length === 0) return null;
  return (
    <FigureTable
      title={analytics.botsBy}
      columns={[analytics.botsBy, analytics.botVisits, analytics.share]}
      rows={bots_by.map(({ bot, rule, clicks }) => ({
        name: rule === "unknown" ? report.unknown : `${valueName("bot", bot, strings)}: ${rule}`,
        key: `${bot} ${rule}`,
        cells: [clicks, formatShare(clicks, bots ?? 0)],
      }))}
    />
  );
}
