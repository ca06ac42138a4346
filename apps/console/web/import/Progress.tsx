import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useStrings } from "../strings/strings.tsx";
import type { Job, JobStorage, Result } from "./job.ts";
import { save, toCsv } from "./read.ts";
import { Refusals } from "./Refusals.tsx";
import { run, type State } from "./run.ts";

interface ProgressProps {
  storage: JobStorage;
  initial: Job;
  restart: () => void;
}

/** An import under way, or at its end. It goes on by itself after a reload, unless it was paused. */
export function Progress({ storage, initial, restart }: ProgressProps) {
  const { importing } = useStrings();
  const [job, setJob] = useState(initial);
  const [results, setResults] = useState<readonly Result[]>([]);
  const [state, setState] = useState<State>({ is: "running" });
  const [isPaused, setIsPaused] = useState(initial.isPaused);
  const isOver = job.isCancelled || job.done >= job.total;

  useEffect(() => {
    void storage.results().then(setResults);
  }, [storage]);
  useEffect(() => {
    if (isPaused || isOver) return undefined;
    const ending = new AbortController();
    void run(storage, ending.signal, (next, progress) => {
      if (ending.signal.aborted) return;
      setState(next);
      if (progress === undefined) return;
      setJob(progress.job);
      setResults([...progress.results]);
    });
    return () => ending.abort();
  }, [storage, isPaused, isOver]);

  // The buttons at the end are others: the one that was used is gone.
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isOver && document.activeElement === document.body) title.current?.focus();
  }, [isOver]);

  const change = async (changes: Partial<Job>) => setJob(await storage.change(changes));
  const pause = (paused: boolean) => {
    setIsPaused(paused);
    void change({ isPaused: paused });
  };
  const count = (kind: Result[0]) => results.filter(([each]) => each === kind).length;
  const refused = results.flatMap(([kind, reason], index) => (kind === "refused" ? [{ index, reason }] : []));
  return (
    <div className="import-progress">
      <p ref={title} data-step tabIndex={-1}>
        <b dir="auto">{job.name}</b> <span className="soft">{importing.doneOf(job.done, job.total)}</span>
      </p>
      <progress max={job.total} value={job.done} aria-label={importing.progress} />
      <p role="status">
        {isOver ? importing.over(job.isCancelled) : isPaused ? importing.paused : <Sentence state={state} />}
      </p>
      <dl className="outcome">
        {(["created", "exists", "refused"] as const).map((kind) => (
          <div key={kind}>
            <dt>{importing.outcomes[kind]}</dt>
            <dd className="number">{importing.number(count(kind))}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        {isOver ? (
          <>
            <Link to="/" className="button quiet">
              {importing.toLinks}
            </Link>
            <button type="button" className="quiet" onClick={restart}>
              {importing.another}
            </button>
            <button
              type="button"
              onClick={() =>
                void storage.links().then((links) => save(importing.resultName, resultFile(links)))
              }
            >
              {importing.result}
            </button>
          </>
        ) : (
          <>
            <button type="button" className="quiet" onClick={() => void change({ isCancelled: true })}>
              {importing.cancel}
            </button>
            <button type="button" onClick={() => pause(!isPaused)}>
              {isPaused ? importing.resume : importing.pause}
            </button>
          </>
        )}
      </div>
      <Refusals refusals={refused} firstRow={job.firstRow} />
    </div>
  );

  function resultFile(links: readonly { url: string }[]): string {
    const rows = links.map(({ url }, at): (string | number)[] => {
      const [kind, text] = results[at] ?? ["not sent", ""];
      const isLink = kind === "created" || kind === "exists";
      return [job.firstRow + at, url, kind, isLink ? text : "", isLink ? "" : text];
    });
    return toCsv([["row", "url", "status", "short_url", "reason"], ...rows]);
  }
}

/** What happens right now; a wait counts down. */
function Sentence({ state }: { state: State }) {
  const { importing } = useStrings();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (state.is !== "waiting") return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [state]);
  if (state.is === "waiting")
    return importing.waiting[state.why](Math.max(1, Math.ceil((state.until - now) / 1000)));
  if (state.is === "failed") return importing.failed((state.error as Error).message);
  return state.is === "elsewhere" ? importing.elsewhere : importing.running;
}
