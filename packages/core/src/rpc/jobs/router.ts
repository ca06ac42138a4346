import { router } from "../procedure.ts";
import { cancelJob } from "./cancel.ts";
import { getJob } from "./get.ts";
import { listJobs } from "./list.ts";
import { jobResult } from "./result.ts";

export const jobsRouter = router({
  /** List jobs */
  list: listJobs,
  /** Get a job */
  get: getJob,
  /** Cancel a job */
  cancel: cancelJob,
  /** Get the result file of a job */
  result: jobResult,
});
