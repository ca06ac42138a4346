import { formatBytes, formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Button } from "../../kit/Button.tsx";
import { Section } from "../../kit/Section.tsx";
import { useDownload } from "../../kit/use-download.ts";
import { Wrong } from "../../kit/Field.tsx";

const newLine = 10;

/** Counts the lines of what arrives. */
function lineCounter() {
  let lines = 0;
  return (chunk: Uint8Array) => {
    for (const byte of chunk) if (byte === newLine) lines++;
    return lines;
  };
}

/** Downloads everything that is stored of the account. Leaving the page cancels it. */
export function AccountExport() {
  const { settings } = useStrings();
  const { stage, start, cancel } = useDownload();
  const download = () => start({ url: "/v1/me/export", name: "terse-account.ndjson", count: lineCounter() });
  const saying = stage.is === "running" ? settings.exporting : settings.exported;
  return (
    <Section title={settings.exportTitle} lead={settings.exportHint}>
      <p className="inline">
        {stage.is === "running" ? (
          <Button onClick={cancel}>{settings.cancel}</Button>
        ) : (
          <Button onClick={() => void download()}>{settings.exportStart}</Button>
        )}
        <span role="status" className="progress">
          {"progress" in stage &&
            saying(formatCount(stage.progress.rows ?? 0), formatBytes(stage.progress.bytes))}
        </span>
      </p>
      {stage.is === "failed" && <Wrong>{stage.reason}</Wrong>}
    </Section>
  );
}
