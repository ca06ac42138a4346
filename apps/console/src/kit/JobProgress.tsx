import { useMutation } from "@tanstack/react-query";
import { api } from "./api/api.ts";
import type { Job } from "./api/use-jobs.ts";
import { Button } from "./Button.tsx";

interface JobProgressProps {
  job: Job;
  /** What screen readers say of the bar */
  label: string;
  /** The text of the button that cancels the job */
  cancelText: string;
}

/** The progress of a job under way, with a button that cancels it. */
export function JobProgress({ job, label, cancelText }: JobProgressProps) {
  const cancel = useMutation(api.jobs.cancel.mutationOptions());
  return (
    <>
      <progress max={job.total} value={job.done} aria-label={label} />
      <Button disabled={cancel.isPending} onClick={() => cancel.mutate({ id: job.id })}>
        {cancelText}
      </Button>
    </>
  );
}
