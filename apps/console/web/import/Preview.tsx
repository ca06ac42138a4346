import { useMemo, useState } from "react";
import { useStrings } from "../strings/strings.tsx";
import {
  columnsNotTaken,
  fieldNames,
  linkOf,
  pastOf,
  recognize,
  type SentLink as Sent,
} from "@terse/core/browser";
import { randomId } from "../ui/random-id.ts";
import { fileFor, isTaken, useBackgroundImport } from "./background.ts";
import { DomainField } from "./DomainField.tsx";
import type { Job } from "./job.ts";
import type { Table } from "./read.ts";
import { Refusals } from "./Refusals.tsx";
import { useCheck } from "./use-check.ts";

const shownRows = 8;

interface PreviewProps {
  table: Table;
  back: () => void;
  begin: (job: Job, links: Sent[]) => Promise<void>;
}

/** Shows which columns are what, the first links, and what the service would refuse. */
export function Preview({ table, back, begin }: PreviewProps) {
  const { importing } = useStrings();
  const [first = []] = table.rows;
  const recognized = useMemo(() => recognize(first), [first]);
  const [mapping, setMapping] = useState(recognized.mapping);
  const [domain, setDomain] = useState<string | null>(null);
  const firstRow = recognized.hasHeader ? 2 : 1;
  const rows = useMemo(() => table.rows.slice(firstRow - 1), [table, firstRow]);
  const links = useMemo(
    () => (mapping.url === null ? [] : rows.map((row) => linkOf(row, { ...recognized, mapping }, domain))),
    [rows, mapping, recognized, domain],
  );
  const notTaken = columnsNotTaken(first, { ...recognized, mapping });
  const check = useCheck(links);
  const background = useBackgroundImport(back);
  const file = useMemo(() => {
    const isAsRecognized = mapping === recognized.mapping;
    const known = () => links.map((link, at) => ({ ...link, ...pastOf(rows[at] ?? [], recognized) }));
    return fileFor(table, isAsRecognized ? null : known());
  }, [table, mapping, recognized, rows, links]);
  const name = table.name || importing.pasted;
  const start = () => {
    const job = {
      id: randomId(),
      name,
      firstRow,
      total: links.length,
      done: 0,
      isCancelled: false,
      isPaused: false,
      sent: 0,
    };
    void begin(job, links);
  };
  return (
    <div className="import-preview">
      <header>
        <p data-step tabIndex={-1}>
          <b dir="auto">{name}</b>{" "}
          <span className="soft">
            {importing.rows(rows.length)}
            {recognized.source && ` · ${importing.from(recognized.source)}`}
          </span>
        </p>
        <div className="actions">
          <button type="button" className="quiet" onClick={back}>
            {importing.another}
          </button>
          {links.length > 0 && isTaken(file, links.length) && (
            <button
              type="button"
              className="quiet"
              disabled={background.isPending}
              onClick={() => background.mutate({ file, domain })}
            >
              {importing.background}
            </button>
          )}
          <button type="button" disabled={links.length === 0} onClick={start}>
            {importing.start(links.length - check.refused.length)}
          </button>
        </div>
      </header>
      <div className="mapping">
        {fieldNames.map((field) => (
          <label key={field} className="field">
            {importing.fields[field]}
            <select
              value={mapping[field] ?? ""}
              onChange={({ target }) =>
                setMapping({
                  ...mapping,
                  [field]: target.value === "" ? null : Number(target.value),
                })
              }
            >
              <option value="">{importing.none[field]}</option>
              {first.map((title, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <option key={at} value={at}>
                  {recognized.hasHeader && title.trim() ? title : importing.column(at + 1)}
                </option>
              ))}
            </select>
          </label>
        ))}
        <DomainField value={domain} onChange={setDomain} />
      </div>
      {mapping.url === null ? (
        <p className="wrong">{importing.noUrl}</p>
      ) : (
        <>
          <FirstLinks links={links.slice(0, shownRows)} firstRow={firstRow} more={links.length - shownRows} />
          {notTaken.length > 0 && <p className="note">{importing.notTaken(notTaken)}</p>}
          <p role="status" className="note">
            {check.error
              ? importing.unchecked(check.error)
              : check.checked < links.length
                ? importing.checking(check.checked, links.length)
                : importing.checked(links.length - check.refused.length, check.refused.length)}
          </p>
          <Refusals refusals={check.refused} firstRow={firstRow} />
        </>
      )}
    </div>
  );
}

function FirstLinks({ links, firstRow, more }: { links: Sent[]; firstRow: number; more: number }) {
  const { importing } = useStrings();
  return (
    // Scrolls sideways on narrow screens, also by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="sheet scroll" tabIndex={0} aria-label={importing.firstLinks}>
      <table>
        <thead>
          <tr>
            <th>{importing.row}</th>
            <th>{importing.fields.url}</th>
            <th>{importing.fields.slug}</th>
            <th>{importing.fields.title}</th>
          </tr>
        </thead>
        <tbody>
          {links.map(({ url, slug, title }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <tr key={at}>
              <td className="number soft">{firstRow + at}</td>
              <td dir="auto">{url}</td>
              <td dir="auto">{slug ?? <span className="soft">{importing.generated}</span>}</td>
              <td dir="auto">{title}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p className="note">{importing.moreRows(more)}</p>}
    </section>
  );
}
