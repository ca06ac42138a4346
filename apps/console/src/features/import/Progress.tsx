import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { csvOf, saveCsv } from "../../kit/format/csv.ts";
import type { ImportRow, Job, JobStorage, Refusal, Result } from "./job.ts";
import { Refusals } from "./Refusals.tsx";
import { run, type State } from "./run.ts";
import { Button, MainButton } from "../../kit/Button.tsx";

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
  const [rows, setRows] = useState<readonly ImportRow[]>([]);
  /** Rows that could not be read, which were not sent */
  const [unread, setUnread] = useState<readonly Refusal[]>([]);
  const [state, setState] = useState<State>({ is: "running" });
  /** Calls of `run` that have not ended: the last one may still wait for an answer */
  const [runs, setRuns] = useState(0);
  const { isPaused } = job;
  const isComplete = job.done >= job.total;
  const isEnding = job.isCancelled || isComplete;
  const isOver = isEnding && runs === 0;

  useEffect(() => {
    void storage.results().then(setResults);
    void storage.rows().then(setRows);
    void storage.refused().then(setUnread);
  }, [storage]);
  useEffect(() => {
    if (isPaused || isEnding) return undefined;
    const ending = new AbortController();
    setRuns((count) => count + 1);
    void run(storage, ending.signal, (next, progress) => {
      setState(next);
      if (progress === undefined) return;
      setJob(progress.job);
      setResults([...progress.results]);
    }).finally(() => setRuns((count) => count - 1));
    return () => ending.abort();
  }, [storage, isPaused, isEnding]);

  // The buttons at the end are others: the one that was used is gone.
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isOver && document.activeElement === document.body) title.current?.focus();
  }, [isOver]);

  const change = async (changes: Partial<Job>) => setJob(await storage.change(changes));
  const count = (kind: Result[0]) => results.filter(([each]) => each === kind).length;
  const refused = [
    ...unread,
    ...results.flatMap(([kind, reason], at) =>
      kind === "refused" ? [{ row: rows[at]?.row ?? 0, reason }] : [],
    ),
  ].toSorted((a, b) => a.row - b.row);
  return (
    <div className="import-progress">
      <p ref={title} data-step tabIndex={-1}>
        <b dir="auto">{job.name}</b> <span className="soft">{importing.doneOf(job.done, job.total)}</span>
      </p>
      <progress max={job.total} value={job.done} aria-label={importing.progress} />
      <p role="status">
        {isOver ? (
          importing.over(!isComplete)
        ) : job.isCancelled ? (
          importing.ending
        ) : isPaused ? (
          importing.paused
        ) : (
          <Sentence state={state} />
        )}
      </p>
      {isOver && job.sent > job.done && <p>{importing.unanswered(job.sent - job.done)}</p>}
      <dl className="outcome line">
        {(["created", "exists", "refused"] as const).map((kind) => (
          <div key={kind}>
            <dt>{importing.outcomes[kind]}</dt>
            <dd className="number">{importing.number(kind === "refused" ? refused.length : count(kind))}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        {isOver ? (
          <>
            <Link to="/" className="button secondary">
              {importing.toLinks}
            </Link>
            <Button onClick={restart}>{importing.another}</Button>
            <MainButton onClick={() => saveCsv(importing.resultName, resultFile())}>
              {importing.result}
            </MainButton>
          </>
        ) : (
          <>
            <Button disabled={isEnding} onClick={() => void change({ isCancelled: true })}>
              {importing.cancel}
            </Button>
            <MainButton disabled={isEnding} onClick={() => void change({ isPaused: !isPaused })}>
              {isPaused ? importing.resume : importing.pause}
            </MainButton>
          </>
        )}
      </div>
      <Refusals refusals={refused} />
    </div>
  );

  function resultFile(): string {
    const sent = rows.map(({ row, link: { url } }, at): [number, ...string[]] => {
      const [kind, text] = results[at] ?? [at < job.sent ? "no answer" : "not sent", ""];
      const isLink = kind === "created" || kind === "exists";
      return [row, url, kind, isLink ? text : "", isLink ? "" : text];
    });
    const notRead = unread.map(({ row, reason }): [number, ...string[]] => [row, "", "refused", "", reason]);
    const lines = [...sent, ...notRead].toSorted(([a], [b]) => a - b);
    return csvOf([["row", "url", "status", "short_url", "reason"], ...lines]);
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
