import type { RefusedFile } from "@terse/importers";
import { useStrings } from "../../words/strings.tsx";
import type { Mapping, Shape } from "./columns.ts";

interface QuestionProps {
  file: RefusedFile;
  shape: Shape;
  choose: (mapping: Mapping) => void;
}

/** What must be known before a file can be imported: which column is what, or whether one has the slugs. */
export function Question({ file, shape: { names, width, mapping }, choose }: QuestionProps) {
  const { importing } = useStrings();
  const { slugLike, sample = [] } = file;
  const titleOf = (at: number) => names?.[at]?.trim() || importing.column(at + 1);
  return (
    <section className="import-question" role="alert">
      {slugLike === undefined ? (
        <>
          <p className="wrong">{importing.whichColumns}</p>
          {mapping.url !== null && (
            <button type="button" className="button secondary" onClick={() => choose(mapping)}>
              {importing.continue}
            </button>
          )}
        </>
      ) : (
        <>
          <p className="wrong">{importing.slugLike(titleOf(slugLike))}</p>
          <div className="actions">
            <button type="button" className="button" onClick={() => choose({ ...mapping, slug: slugLike })}>
              {importing.keepSlugs}
            </button>
            <button type="button" className="button secondary" onClick={() => choose(mapping)}>
              {importing.newSlugs}
            </button>
          </div>
        </>
      )}
      <section className="sheet scroll" tabIndex={0} aria-label={importing.firstRows}>
        <table>
          <thead>
            <tr>
              {Array.from({ length: width }, (_, at) => (
                <th key={at} dir="auto">
                  {titleOf(at)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sample.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, at) => (
                  <td key={at} dir="auto">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
