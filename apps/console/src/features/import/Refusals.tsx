import { useStrings } from "../../words/strings.tsx";
import type { Refusal } from "./job.ts";

const shown = 100;

/** The first links that are refused, with their rows in the file. */
export function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const { importing } = useStrings();
  if (refusals.length === 0) return null;
  return (
    <section className="refusals stack">
      <h2>{importing.refused(refusals.length)}</h2>
      <ul className="sheet" tabIndex={0} aria-label={importing.refused(refusals.length)}>
        {refusals.slice(0, shown).map(({ row, reason }) => (
          <li key={row}>
            <span className="soft">{importing.rowNumber(row)}</span>
            <span dir="auto">{reason}</span>
          </li>
        ))}
      </ul>
      {refusals.length > shown && <p className="note">{importing.moreRows(refusals.length - shown)}</p>}
    </section>
  );
}
