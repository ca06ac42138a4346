import { useStrings } from "../../words/strings.tsx";
import { CopyButton } from "../../kit/CopyButton.tsx";
import { type Check, type Domain, shortRecordName } from "./domain.ts";
import { Table } from "../../kit/Table.tsx";

interface RecordsProps {
  domain: Domain;
  /** What the last check found; undefined before the first one */
  checks: readonly Check[] | undefined;
  zone: string | undefined;
}

/** The records to set, and beside each value what DNS says. */
export function Records({ domain, checks, zone }: RecordsProps) {
  const { domains } = useStrings();
  const rows = checks ?? domain.dns.map(withoutResult);
  return (
    <Table look="table records" columns={[domains.type, domains.record, domains.expected, domains.found]}>
      {rows.map((row) => {
        const short = zone === undefined ? row.name : shortRecordName(row.name, zone);
        return (
          <tr key={row.type + row.name}>
            <td data-label={domains.type}>{row.type}</td>
            <td data-label={domains.record}>
              <Copied text={row.name} />
              {short !== row.name && (
                <p className="note">
                  {domains.shortly} <Copied text={short} />
                </p>
              )}
            </td>
            <td data-label={domains.expected}>
              <Copied text={row.expected} />
            </td>
            <td data-label={domains.found}>
              <Found check={row} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function Copied({ text }: { text: string }) {
  return (
    <span className="copyable">
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  );
}

type Row = Omit<Check, "found" | "ok"> & { found: string[] | null | undefined; ok: boolean | null };

function Found({ check: { found, ok } }: { check: Row }) {
  const { domains } = useStrings();
  if (found === undefined) return <span className="soft">…</span>;
  if (found === null) return <span className="soft">{domains.noAnswer}</span>;
  return (
    <>
      <b className={ok ? "good" : "off"}>
        {ok ? domains.right : found.length > 0 ? domains.other : domains.none}
      </b>
      {!ok &&
        found.map((text) => (
          <code key={text} className="found">
            {text}
          </code>
        ))}
    </>
  );
}

const withoutResult = ({ type, name, value }: Domain["dns"][number]): Row => ({
  type,
  name,
  expected: value,
  found: undefined,
  ok: null,
});
