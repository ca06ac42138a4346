import * as z from "zod";
import { named, timestamp } from "../../kernel/validation/strings.ts";

export const jobStatuses = ["waiting", "running", "done", "cancelled", "failed"] as const;
export type JobStatus = (typeof jobStatuses)[number];

const count = (description: string) => z.int().min(0).optional().describe(description);

/** A job's counts so far; its kind decides which of these it has. */
const jobCounts = z.object({
  matched: count("Links that still existed when their turn came"),
  changed: count("Links that were changed or deleted; with `dry_run`, those that would be"),
  created: count("Links that were created; with `dry_run`, those that would be"),
  existing: count("Links that the account had already"),
  refused: count("Links that were refused; the result file says why"),
  imported_clicks: count("Clicks that another service had counted for the created links"),
});
export type JobCounts = z.infer<typeof jobCounts>;

const jobResult = jobCounts.extend({
  not_taken: z
    .array(z.string())
    .optional()
    .meta({
      description: "For an import, columns of the file, or members of its JSON, that are ignored",
      examples: [["Leads", "Revenue"]],
    }),
});

const fields = z.object({
  id: z.string(),
  kind: z.string().meta({ description: "What it does", examples: ["links.update"] }),
  status: z
    .enum(jobStatuses)
    .describe("`waiting` until its turn, then `running`; `done`, `cancelled` and `failed` are final"),
  done: z.int().min(0).describe("Links processed so far"),
  total: z
    .int()
    .min(0)
    .meta({ description: "Links to process", examples: [500_000] }),
  result: jobResult
    .optional()
    .describe("The outcome so far; missing until the first links are done, except for an import"),
  problem: z
    .string()
    .nullable()
    .meta({ description: "Why it failed or ended early; null if it did not", examples: [null] }),
  change_id: z
    .string()
    .nullable()
    .describe("Its change in the history, which can be undone; null if it has changed no link"),
  undone_by: z.string().nullable().describe("The change that undid it; null if none did"),
  created_at: timestamp,
  ended_at: timestamp
    .nullable()
    .describe("When it ended; null until then. The job is deleted seven days later"),
});

/** A job as its account sees it. */
export interface Job extends z.infer<typeof fields> {}
export const jobSchema = named<Job>("Job", fields);

/** The answer of an operation that continues in the background. */
export const jobStarted = z.object({
  job_id: z.string(),
});

/** Work in the background, done by the nodes that have started it. */
export interface Jobs {
  /** Does everything that is due; returns when nothing is. */
  run(): Promise<void>;
  /** Works on due jobs until the core is closed. Safe on several nodes at once. */
  start(): void;
  close(): Promise<void>;
}
