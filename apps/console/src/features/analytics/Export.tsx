import { useRef, useState } from "react";
import { formatBytes, formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { DialogButton } from "../../kit/DialogButton.tsx";
import { Overlay } from "../../kit/Overlay.tsx";
import { download, exportUrl, type Format, formats, type Progress, sinkFor } from "./export-file.ts";
import { type Figures, questionOf } from "./figures.ts";
import type { ReportState } from "./state.ts";

type Stage =
  | { is: "ready" }
  | { is: "running"; progress: Progress }
  | { is: "done"; name: string; progress: Progress }
  | { is: "cancelled" }
  /** Too large for the page; the browser downloads it */
  | { is: "handed over"; url: string }
  | { is: "failed"; reason: string };

const formatNames: Record<Format, string> = { csv: "CSV", json: "JSON", parquet: "Parquet" };

/** Exports the clicks of a report, with its window and filters, and shows how far it is. Closing cancels it. */
function Export({ state, figures, close }: { state: ReportState; figures: Figures; close: () => void }) {
  const { analytics, builder, errors, report } = useStrings();
  const [format, setFormat] = useState<Format>("csv");
  const [stage, setStage] = useState<Stage>({ is: "ready" });
  const running = useRef<AbortController>(null);
  const expected = figures.clicks ?? 0;
  const { id, search, zone } = state;
  const question = { ...questionOf(search, zone), ...(id !== undefined && { link_id: [id] }) };

  const start = async () => {
    const url = exportUrl(format, question);
    const controller = new AbortController();
    running.current = controller;
    try {
      const sink = await sinkFor(expected, `terse-clicks.${format}`);
      if (!sink) return setStage({ is: "handed over", url });
      setStage({ is: "running", progress: { bytes: 0, rows: 0 } });
      const { name, ...progress } = await download(url, format, sink, {
        signal: controller.signal,
        onProgress: (reached) => setStage({ is: "running", progress: reached }),
      });
      setStage({ is: "done", name, progress });
    } catch (error) {
      if (controller.signal.aborted || (error as Error).name === "AbortError") setStage({ is: "cancelled" });
      else
        setStage({
          is: "failed",
          reason: error instanceof TypeError ? errors.unreachable : (error as Error).message,
        });
    }
  };
  const cancel = () => running.current?.abort();
  const sizeOf = ({ rows, bytes }: Progress) =>
    rows === null ? formatBytes(bytes) : analytics.exported(formatCount(rows), formatBytes(bytes));

  return (
    <Overlay
      title={analytics.exportTitle}
      close={() => {
        cancel();
        close();
      }}
    >
      <div className="form">
        <p>{analytics.exportWhat(formatCount(expected))}</p>
        <div className="segments" role="radiogroup" aria-label={analytics.format}>
          {formats.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="format"
                checked={format === name}
                disabled={stage.is === "running"}
                onChange={() => setFormat(name)}
              />
              {formatNames[name]}
            </label>
          ))}
        </div>
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
            <button type="button" className="button secondary" onClick={cancel}>
              {builder.cancel}
            </button>
          ) : (
            <button type="button" className="button" autoFocus onClick={() => void start()}>
              {stage.is === "failed" ? errors.retry : analytics.exportStart}
            </button>
          )}
        </footer>
      </div>
    </Overlay>
  );
}

/** Opens the export of a report, once its figures are there. */
export function ExportButton({ state, figures }: { state: ReportState; figures: Figures | undefined }) {
  const { analytics } = useStrings();
  return (
    <DialogButton text={analytics.export} shortcut="x">
      {(close) => figures && <Export state={state} figures={figures} close={close} />}
    </DialogButton>
  );
}
