import { useMutation } from "@tanstack/react-query";
import { maxImportBytes, maxImportRows, readFile, type ReadRow } from "@terse/importers";
import { refresh } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { useMemo, useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { randomId } from "../../kit/format/random-id.ts";
import { ColumnFields, columnsOf, shapeOf } from "./ColumnFields.tsx";
import { DomainField, useTarget } from "./DomainField.tsx";
import type { ImportRow, Job, Refusal } from "./job.ts";
import { Question } from "./Question.tsx";
import type { FileText } from "./ChooseFile.tsx";
import { startImport } from "./send.ts";
import { Refusals } from "./Refusals.tsx";
import { useCheck } from "./use-check.ts";
import { Button, MainButton } from "../../kit/Button.tsx";
import { Table } from "../../kit/Table.tsx";

const shownRows = 8;
const shownHosts = 3;

interface PreviewProps {
  file: FileText;
  back: () => void;
  begin: (job: Job, rows: ImportRow[], refused: Refusal[]) => Promise<void>;
}

/** Shows which columns are what, the first links, and what the service would refuse. Asks what the file does not say. */
export function Preview({ file: { name: fileName, text }, back, begin }: PreviewProps) {
  const { importing } = useStrings();
  const [columns, setColumns] = useState<string[] | null>(null);
  const [chosenDomain, setChosenDomain] = useState<string | null>(null);
  const file = useMemo(() => readFile(text, columns ? { columns } : {}), [text, columns]);
  const read = useMemo(() => ("refusal" in file ? [] : [...file.rows()]), [file]);
  const shape = shapeOf(file, columns);
  const hosts = useMemo(() => hostsOf(read), [read]);
  const target = useTarget(hosts, chosenDomain);
  const { domain, isKnown } = target;
  // Without hosts in the file, the links are the same before the service's own is known.
  const own = hosts.length > 0 ? target.own : "";
  const rows = useMemo(() => (isKnown ? placed(read, domain, own) : []), [read, domain, own, isKnown]);
  const unread = useMemo(
    () => read.flatMap(({ row, refusal }) => (refusal === undefined ? [] : [{ row, reason: refusal }])),
    [read],
  );
  const check = useCheck(rows);
  const refused = [...unread, ...check.refused].toSorted((a, b) => a.row - b.row);
  const background = useBackgroundImport(back);
  const blob = useMemo(() => blobOf(text), [text]);
  const name = fileName || importing.pasted;
  const start = () => {
    const job = {
      id: randomId(),
      name,
      total: rows.length,
      done: 0,
      isCancelled: false,
      isPaused: false,
      sent: 0,
    };
    void begin(job, rows, unread);
  };
  return (
    <div className="import-preview">
      <header className="line">
        <p data-step tabIndex={-1}>
          <b dir="auto">{name}</b>{" "}
          <span className="soft">
            {!("refusal" in file) && importing.rows(file.total)}
            {!("refusal" in file) && file.source && ` · ${importing.from(file.source)}`}
          </span>
        </p>
        <div className="actions">
          <Button onClick={back}>{importing.another}</Button>
          {rows.length > 0 && isTaken(blob, read.length) && (
            <Button
              disabled={background.isPending}
              onClick={() => background.mutate({ file: blob, columns, domain: target.domain })}
            >
              {importing.background}
            </Button>
          )}
          <MainButton disabled={rows.length === 0} onClick={start}>
            {importing.start(rows.length - check.refused.length)}
          </MainButton>
        </div>
      </header>
      {shape && (
        <div className="mapping">
          <ColumnFields shape={shape} onChange={(mapping) => setColumns(columnsOf(shape, mapping))} />
          <DomainField target={target} onChange={setChosenDomain} />
        </div>
      )}
      {"refusal" in file ? (
        shape?.mapping.url != null || file.slugLike !== undefined || file.names === null ? (
          shape && (
            <Question file={file} shape={shape} choose={(mapping) => setColumns(columnsOf(shape, mapping))} />
          )
        ) : (
          <p className="wrong">{shape ? importing.noUrl : importing.refusedFile(file.refusal)}</p>
        )
      ) : (
        <>
          <FirstLinks rows={rows.slice(0, shownRows)} more={rows.length - shownRows} />
          {target.foreign.length > 0 && target.domain === target.own && (
            <p className="note">{importing.moved(target.foreign.slice(0, shownHosts), target.own)}</p>
          )}
          {file.notTaken.length > 0 && <p className="note">{importing.notTaken(file.notTaken)}</p>}
          <p role="status" className="note">
            {check.error
              ? importing.unchecked(check.error)
              : check.checked < rows.length
                ? importing.checking(check.checked, rows.length)
                : importing.checked(rows.length - check.refused.length, refused.length)}
          </p>
          <Refusals refusals={refused} />
        </>
      )}
    </div>
  );
}

/** A file as it is sent. The service takes UTF-8. */
const blobOf = (text: string): Blob =>
  new Blob([text], { type: /^\s*[[{]/.test(text) ? "application/json" : "text/csv" });

/** Whether the service takes a file with so many links at once. */
const isTaken = (file: Blob, links: number): boolean => file.size <= maxImportBytes && links <= maxImportRows;

/** Hands an import to the service. `done` is called when that has begun. */
function useBackgroundImport(done: () => void) {
  const { importing } = useStrings();
  return useMutation({
    mutationFn: startImport,
    onSuccess: async () => {
      say(importing.begun);
      await refresh("jobs");
      done();
    },
    onError: ({ message }) => say(message),
  });
}

const hostsOf = (rows: readonly ReadRow[]): string[] => [
  ...new Set(rows.flatMap(({ link: { domain } }) => (domain === undefined ? [] : [domain]))),
];

/** The rows that can be sent, each with the domain that its link goes to; none for the service's own. */
function placed(rows: readonly ReadRow[], to: string, own: string): ImportRow[] {
  return rows
    .filter(({ refusal }) => refusal === undefined)
    .map(({ row, link: { domain: there, ...link } }) => {
      const domain = to || there;
      return { row, link: domain === undefined || domain === own ? link : { ...link, domain } };
    });
}

function FirstLinks({ rows, more }: { rows: ImportRow[]; more: number }) {
  const { importing } = useStrings();
  return (
    // Scrolls sideways on narrow screens, also by keyboard.
    <section className="sheet scroll" tabIndex={0} aria-label={importing.firstLinks}>
      <Table columns={[importing.row, importing.fields.url, importing.fields.slug, importing.fields.title]}>
        {rows.map(({ row, link: { url, slug, title } }) => (
          <tr key={row}>
            <td className="number soft">{row}</td>
            <td dir="auto">{url}</td>
            <td dir="auto">{slug ?? <span className="soft">{importing.generated}</span>}</td>
            <td dir="auto">{title}</td>
          </tr>
        ))}
      </Table>
      {more > 0 && <p className="note">{importing.moreRows(more)}</p>}
    </section>
  );
}
