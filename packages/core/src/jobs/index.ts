export { enqueue } from "./enqueue.ts";
export type { JobHandler, JobHandlers, PartOutcome } from "./handler.ts";
export { jobStarted } from "./job.schema.ts";
export { deleteOldJobs } from "./retention.ts";
export { jobsRouter } from "./router.ts";
export { createJobs } from "./runner.ts";
