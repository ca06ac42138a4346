import { useEffect, useRef, useState } from "react";
import { formatBytes, formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Wrong } from "../../kit/Wrong.tsx";
import { Section } from "../../kit/Section.tsx";

type State =
  | { kind: "idle" }
  | { kind: "running" | "done"; bytes: number; lines: number }
  | { kind: "failed"; reason: string | null };

const newLine = 10;

/** Reads the export as it arrives, and says how far it is; its length is not known before. Throws what went wrong. */
async function download(
  signal: AbortSignal,
  onProgress: (bytes: number, lines: number) => void,
): Promise<void> {
  const response = await fetch("/v1/me/export", { signal });
  if (!response.ok || !response.body) {
    const { error } = (await response.json()) as { error: string };
    throw new Error(error);
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let lines = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    bytes += value.length;
    for (const byte of value) if (byte === newLine) lines++;
    onProgress(bytes, lines);
  }
  const name = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  save(new Blob(parts, { type: "application/x-ndjson" }), name ?? "terse-account.ndjson");
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads everything that is stored of the account. Leaving the page cancels it. */
export function AccountExport() {
  const { settings, errors } = useStrings();
  const [state, setState] = useState<State>({ kind: "idle" });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start() {
    const controller = new AbortController();
    running.current = controller;
    let so = { bytes: 0, lines: 0 };
    setState({ kind: "running", ...so });
    try {
      await download(controller.signal, (bytes, lines) => {
        so = { bytes, lines };
        setState({ kind: "running", ...so });
      });
      setState({ kind: "done", ...so });
    } catch (error) {
      if (controller.signal.aborted) return setState({ kind: "idle" });
      // fetch throws a TypeError if there is no answer, or if it breaks off
      setState({ kind: "failed", reason: error instanceof TypeError ? null : (error as Error).message });
    }
  }

  return (
    <Section title={settings.exportTitle} lead={settings.exportHint}>
      <p className="inline">
        {state.kind === "running" ? (
          <button type="button" className="button secondary" onClick={() => running.current?.abort()}>
            {settings.cancel}
          </button>
        ) : (
          <button type="button" className="button secondary" onClick={() => void start()}>
            {settings.exportStart}
          </button>
        )}
        <span role="status" className="progress">
          {state.kind === "running" && settings.exporting(formatCount(state.lines), formatBytes(state.bytes))}
          {state.kind === "done" && settings.exported(formatCount(state.lines), formatBytes(state.bytes))}
        </span>
      </p>
      {state.kind === "failed" && <Wrong>{state.reason ?? errors.unreachable}</Wrong>}
    </Section>
  );
}
