import { formatBytes, formatCount } from "./format/format.ts";
import { useStrings } from "../words/strings.tsx";
import { Button } from "./Button.tsx";
import { Wrong } from "./Field.tsx";
import { useDownload } from "./use-download.ts";

const newLine = 10;

/** Counts the lines of what arrives. */
function lineCounter() {
  let lines = 0;
  return (chunk: Uint8Array) => {
    for (const byte of chunk) if (byte === newLine) lines++;
    return lines;
  };
}

interface DownloadProps {
  /** The button's text */
  action: string;
  /** The file's name if the service does not say one */
  name: string;
  /** Id or slug of the workspace */
  of: string;
}

/** Downloads everything that is stored of a workspace. Leaving the page cancels it. */
export function Download({ action, name, of }: DownloadProps) {
  const { settings } = useStrings();
  const { stage, start, cancel } = useDownload();
  const download = () => start({ url: "/v1/me/export", workspace: of, name, count: lineCounter() });
  const saying = stage.is === "running" ? settings.exporting : settings.exported;
  return (
    <>
      <p className="inline">
        {stage.is === "running" ? (
          <Button onClick={cancel}>{settings.cancel}</Button>
        ) : (
          <Button onClick={() => void download()}>{action}</Button>
        )}
        <span role="status" className="progress">
          {"progress" in stage &&
            saying(formatCount(stage.progress.rows ?? 0), formatBytes(stage.progress.bytes))}
        </span>
      </p>
      {stage.is === "failed" && <Wrong>{stage.reason}</Wrong>}
    </>
  );
}
