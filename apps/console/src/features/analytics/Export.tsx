import { useState } from "react";
import { formatBytes, formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Button, MainButton } from "../../kit/Button.tsx";
import { Segments } from "../../kit/Choices.tsx";
import { Overlay } from "../../kit/Overlay.tsx";
import { type Progress, useDownload } from "../../kit/use-download.ts";
import { exportUrl, type Format, formats, rowCounter, sinkFor } from "./export-file.ts";
import { type Figures, questionOf } from "./figures.ts";
import type { ReportState } from "./search.ts";

const formatNames: Record<Format, string> = { csv: "CSV", json: "JSON", parquet: "Parquet" };

interface ExportProps {
  state: ReportState;
  figures: Figures;
  close: () => void;
}

/** Exports the clicks of a report, with its window and filters, and shows how far it is. Closing cancels it. */
export function Export({ state: { id, search, zone }, figures, close }: ExportProps) {
  const { analytics, builder, errors, report } = useStrings();
  const [format, setFormat] = useState<Format>("csv");
  const { stage, start, cancel } = useDownload();
  const expected = figures.clicks ?? 0;
  const question = { ...questionOf(search, zone), ...(id !== undefined && { link_id: [id] }) };
  const download = () =>
    start({
      url: exportUrl(format, question),
      name: `clicks.${format}`,
      count: rowCounter(format),
      sink: () => sinkFor(expected, `terse-clicks.${format}`),
    });
  const sizeOf = ({ rows, bytes }: Progress) =>
    rows === null ? formatBytes(bytes) : analytics.exported(formatCount(rows), formatBytes(bytes));

  return (
    <Overlay title={analytics.exportTitle} close={close}>
      <div className="form">
        <p>{analytics.exportWhat(formatCount(expected))}</p>
        <Segments
          label={analytics.format}
          value={format}
          values={formats}
          textOf={(name) => formatNames[name]}
          onChange={setFormat}
          isDisabled={stage.is === "running"}
        />
        {stage.is === "running" && (
          <progress
            aria-label={analytics.exportTitle}
            max={Math.max(1, expected, stage.progress.rows ?? 0)}
            value={stage.progress.rows ?? undefined}
          />
        )}
        <p role="status" className={stage.is === "failed" ? "wrong" : "note"}>
          {stage.is === "running" && sizeOf(stage.progress)}
          {stage.is === "done" && analytics.exportDone(stage.name, sizeOf(stage.progress))}
          {stage.is === "cancelled" && analytics.exportCancelled}
          {stage.is === "failed" && analytics.exportFailed(stage.reason)}
          {stage.is === "handed over" && (
            <>
              {analytics.exportLarge}{" "}
              <a href={stage.url} download>
                {report.export}
              </a>
            </>
          )}
        </p>
        <footer>
          {stage.is === "running" ? (
            <Button onClick={cancel}>{builder.cancel}</Button>
          ) : (
            <MainButton autoFocus onClick={() => void download()}>
              {stage.is === "failed" ? errors.retry : analytics.exportStart}
            </MainButton>
          )}
        </footer>
      </div>
    </Overlay>
  );
}
