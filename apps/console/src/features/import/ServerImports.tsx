import { inWorkspace } from "../../kit/api/workspace.ts";
import { isOpen, type Job, useJobs } from "../../kit/api/use-jobs.ts";
import { useStrings } from "../../words/strings.tsx";
import { JobProgress } from "../../kit/JobProgress.tsx";
import { Ago } from "../../kit/Ago.tsx";
import "../../kit/jobs.css";

/** The imports that the service works on, and those that have ended: how far they are, and what became of them. */
export function ServerImports() {
  const { importing } = useStrings();
  const imports = useJobs().filter(({ kind }) => kind === "links.import");
  if (imports.length === 0) return null;
  return (
    <section className="jobs server-imports" aria-labelledby="server-imports">
      <h2 id="server-imports">{importing.inBackground}</h2>
      {imports.map((job) => (
        <ServerImport key={job.id} job={job} />
      ))}
    </section>
  );
}

function ServerImport({ job }: { job: Job }) {
  const { importing, jobs: words } = useStrings();
  const { created = 0, existing = 0, refused = 0 } = job.result ?? {};
  const name = importing.rows(job.total);
  const state = {
    waiting: words.waiting,
    running: words.done(job.done, job.total),
    done: importing.over(false),
    cancelled: importing.over(true),
    failed: importing.failed(job.problem ?? ""),
  }[job.status];
  return (
    <div className="job">
      <p>
        <b>{name}</b>{" "}
        <span className="soft">
          <Ago at={job.created_at} /> · {state}
          {job.done > 0 && ` ${importing.counts(created, existing, refused)}`}
        </span>
      </p>
      {isOpen(job) && <JobProgress job={job} label={importing.progress} cancelText={importing.cancel} />}
      <a className="button secondary" href={inWorkspace(`/v1/jobs/${job.id}/result?bom=true`)} download>
        {importing.result}
      </a>
    </div>
  );
}
