import type { RefusedFile } from "@terse/importers";
import { useStrings } from "../../words/strings.tsx";
import type { Mapping, Shape } from "./ColumnFields.tsx";
import { Button, MainButton } from "../../kit/Button.tsx";
import { Table } from "../../kit/Table.tsx";

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
          {mapping.url !== null && <Button onClick={() => choose(mapping)}>{importing.continue}</Button>}
        </>
      ) : (
        <>
          <p className="wrong">{importing.slugLike(titleOf(slugLike))}</p>
          <div className="actions">
            <MainButton onClick={() => choose({ ...mapping, slug: slugLike })}>
              {importing.keepSlugs}
            </MainButton>
            <Button onClick={() => choose(mapping)}>{importing.newSlugs}</Button>
          </div>
        </>
      )}
      <section className="sheet scroll" tabIndex={0} aria-label={importing.firstRows}>
        <Table columns={Array.from({ length: width }, (_, at) => titleOf(at))}>
          {sample.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) => (
                <td key={at} dir="auto">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </section>
    </section>
  );
}
