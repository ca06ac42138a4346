import { useStrings } from "../strings/strings.tsx";
import type { Refusal } from "./use-check.ts";

const shown = 100;

/** The first links that are refused, with their rows in the file. */
export function Refusals({ refusals, firstRow }: { refusals: readonly Refusal[]; firstRow: number }) {
  const { importing } = useStrings();
  if (refusals.length === 0) return null;
  return (
    <section className="refusals">
      <h2>{importing.refused(refusals.length)}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard */}
      <ul className="sheet" tabIndex={0} aria-label={importing.refused(refusals.length)}>
        {refusals.slice(0, shown).map(({ index, reason }) => (
          <li key={index}>
            <span className="soft">{importing.rowNumber(index + firstRow)}</span>
            <span dir="auto">{reason}</span>
          </li>
        ))}
      </ul>
      {refusals.length > shown && <p className="note">{importing.moreRows(refusals.length - shown)}</p>}
    </section>
  );
}
