import { useEffect, useRef } from "react";
import { refresh } from "../../kit/api/api.ts";
import { JobProgress } from "../../kit/JobProgress.tsx";
import { say } from "../../kit/toasts.tsx";
import { undoChange } from "../../kit/api/undo.ts";
import { useStrings } from "../../words/strings.tsx";
import { isOpen, type Job, useJobs } from "../../kit/api/use-jobs.ts";
import "../../kit/jobs.css";

const kinds = ["links.update", "links.delete", "links.transfer", "links.undo", "links.import"] as const;
type Kind = (typeof kinds)[number];
const kindOf = ({ kind }: Job): Kind => kinds.find((known) => known === kind) ?? "links.update";

/** The account's jobs that wait or are under way, each with its progress and a way to cancel it. */
export function Jobs() {
  const { jobs: words } = useStrings();
  const jobs = useJobs();
  const open = jobs.filter(isOpen);
  useEnds(jobs);
  if (open.length === 0) return null;
  return (
    <section className="jobs" aria-label={words.title}>
      {open.map((job) => (
        <OpenJob key={job.id} job={job} />
      ))}
    </section>
  );
}

function OpenJob({ job }: { job: Job }) {
  const { jobs: words } = useStrings();
  const name = words.names[kindOf(job)](job.total);
  return (
    <div className="job">
      <p>
        <b>{name}</b>{" "}
        <span className="soft">
          {job.status === "waiting" ? words.waiting : words.done(job.done, job.total)}
        </span>
      </p>
      <JobProgress job={job} label={name} cancelText={words.cancel} />
    </div>
  );
}

/** Says what came of jobs that were seen under way, and has the list read again as they go on. */
function useEnds(jobs: readonly Job[]): void {
  const strings = useStrings();
  const seen = useRef(new Set<string>());
  const done = jobs.reduce((sum, job) => sum + (seen.current.has(job.id) ? job.done : 0), 0);
  useEffect(() => {
    if (done > 0) void refresh("links");
  }, [done]);
  useEffect(() => {
    for (const job of jobs) {
      if (isOpen(job)) seen.current.add(job.id);
      else if (seen.current.delete(job.id)) {
        const { created = 0, changed = created, refused = 0 } = job.result ?? {};
        const { change_id } = job;
        const { jobs: words } = strings;
        say(
          job.problem === null ? words.ended[kindOf(job)](changed, refused) : words.stopped(job.problem),
          change_id === null ? undefined : () => void undoChange(change_id, strings),
        );
        void refresh("links");
      }
    }
  }, [jobs, strings]);
}
