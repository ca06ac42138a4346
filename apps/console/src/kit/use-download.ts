import { useEffect, useRef, useState } from "react";
import { useStrings } from "../words/strings.tsx";
import { ask } from "./api/fetch.ts";
import { saveFile } from "./save-file.ts";

/** Where a file grows before it is complete. */
export interface Sink {
  write(chunk: Uint8Array<ArrayBuffer>): unknown;
  finish(name: string, type: string): unknown;
  /** Leaves no file behind */
  discard(): unknown;
}

/** A file in the memory of the page. */
export function memorySink(): Sink {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  return {
    write: (chunk) => chunks.push(chunk),
    finish: (name, type) => saveFile(name, chunks, type),
    discard: () => void chunks.splice(0),
  };
}

export interface Progress {
  bytes: number;
  /** Null if they cannot be counted while the file arrives */
  rows: number | null;
}

export type Stage =
  | { is: "ready" }
  | { is: "running"; progress: Progress }
  | { is: "done"; name: string; progress: Progress }
  | { is: "cancelled" }
  /** Too large for the page; the browser downloads it */
  | { is: "handed over"; url: string }
  | { is: "failed"; reason: string };

interface Download {
  url: string;
  /** Id or slug of a workspace other than the one that is shown */
  workspace?: string;
  /** The file's name if the service does not say one */
  name: string;
  /** Counts the rows that have arrived, of all chunks so far */
  count: (chunk: Uint8Array) => number | null;
  /** Null if the browser has to download it; in memory by default */
  sink?: () => Promise<Sink | null>;
}

/** Downloads a file while saying how far it is. Leaving cancels it; then, and if it fails, no file is left. */
export function useDownload() {
  const { errors } = useStrings();
  const [stage, setStage] = useState<Stage>({ is: "ready" });
  const running = useRef<AbortController>(null);
  const cancel = () => running.current?.abort();
  useEffect(() => cancel, []);

  const start = async ({ url, workspace, name, count, sink: choose }: Download) => {
    const controller = new AbortController();
    running.current = controller;
    try {
      const sink = choose ? await choose() : memorySink();
      if (!sink) return setStage({ is: "handed over", url });
      const progress: Progress = { bytes: 0, rows: 0 };
      setStage({ is: "running", progress });
      const saved = await receive({ url, workspace }, name, sink, controller.signal, (chunk) => {
        progress.bytes += chunk.length;
        progress.rows = count(chunk);
        setStage({ is: "running", progress: { ...progress } });
      });
      setStage({ is: "done", name: saved, progress });
    } catch (error) {
      const { name: kind, message } = error as Error;
      if (controller.signal.aborted || kind === "AbortError") return setStage({ is: "cancelled" });
      // A connection that breaks off is a TypeError.
      setStage({ is: "failed", reason: error instanceof TypeError ? errors.unreachable : message });
    }
  };
  return { stage, start, cancel };
}

async function receive(
  { url, workspace }: { url: string; workspace: string | undefined },
  name: string,
  sink: Sink,
  signal: AbortSignal,
  onChunk: (chunk: Uint8Array) => void,
): Promise<string> {
  try {
    const { body, headers } = await ask(url, {
      signal,
      headers: workspace ? { "Terse-Workspace": workspace } : {},
    });
    for (const reader = body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      await sink.write(value);
      onChunk(value);
    }
    const said = /filename="?([^";]+)/.exec(headers.get("content-disposition") ?? "")?.[1] ?? name;
    await sink.finish(said, headers.get("content-type") ?? "");
    return said;
  } catch (error) {
    await sink.discard();
    throw error;
  }
}
