import type { Base } from "../../db/base.ts";
import { accountProcedure, router } from "../procedure.ts";
import { idInput } from "../../kernel/validation/ids.ts";
import { jobs } from "./job.row.ts";
import { jobSchema } from "./job.schema.ts";
import { pageInput, pageOf } from "../../kernel/validation/pagination.ts";
import { endJob } from "./lease.ts";
import * as z from "zod";
import { csvRow } from "@terse/importers/csv";
import { bomField, streamedFile, withByteOrderMark } from "../../kernel/validation/files.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";

const getJob = accountProcedure
  .meta({
    scope: ["links:read", "links:write"],
    route: "GET /v1/jobs/{id}",
    tag: "Jobs",
    summary: "Get a job",
    successDescription: "The job and its progress",
    errors: [404],
  })
  .input(idInput)
  .output(jobSchema)
  .query(({ ctx, input: { id } }) => jobs.get(ctx, id));

const listJobs = accountProcedure
  .meta({
    scope: ["links:read", "links:write"],
    route: "GET /v1/jobs",
    tag: "Jobs",
    summary: "List jobs",
    description: "Background work that is waiting, running, or ended in the last seven days.",
    successDescription: "One page of the account's jobs, newest first",
  })
  .input(pageInput("Jobs", 20).prefault({}))
  .output(pageOf(jobSchema))
  .query(({ ctx, input }) => jobs.page(ctx, input));

/** Cancels a job: nothing more is changed from the moment of the answer; what was done stays. One that has ended stays as it is. */
const cancelJob = accountProcedure
  .meta({
    scope: "links:write",
    route: "DELETE /v1/jobs/{id}",
    tag: "Jobs",
    summary: "Cancel a job",
    description: "Changes it has already made stay. Does nothing to a job that has ended.",
    successDescription: "The job as it ended",
    errors: [404],
  })
  .input(idInput)
  .output(jobSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    await endJob(ctx.deps, await jobs.find(ctx, id), { status: "cancelled", error: null });
    return jobs.get(ctx, id);
  });

/** Columns of the result file by the kind of job, which are members of each result. */
export const resultColumns: Readonly<Record<string, readonly string[]>> = {
  "links.update": ["id", "status", "error"],
  "links.delete": ["id", "status", "error"],
  "links.undo": ["id", "status", "error"],
  "links.import": ["row", "url", "short_url", "reason"],
};
const csv = z.string().meta({ examples: ["id,status,error\r\n"] });

/** Returns a file with the outcomes of single links. */
const jobResult = accountProcedure
  .meta({
    scope: ["links:read", "links:write"],
    route: "GET /v1/jobs/{id}/result",
    tag: "Jobs",
    summary: "Get the result file of a job",
    description:
      "CSV. For an import, each row with its short URL, or why it has none; for other jobs, the links that could not be changed. While the job is running, the results so far.",
    successDescription: "The file",
    successContent: { "text/csv": csv },
    errors: [404],
  })
  .input(fieldsOf({ id: z.string(), bom: bomField }))
  .output(streamedFile)
  .query(async ({ ctx, input: { id, bom } }) => {
    const { kind } = await jobs.find(ctx, id);
    const body = chunks(ctx.deps, id, resultColumns[kind] ?? []);
    return {
      content_type: "text/csv; charset=utf-8",
      file_name: `terse-job-${id}.csv`,
      disposition: "attachment" as const,
      body: bom ? withByteOrderMark(body) : body,
    };
  });

/** One statement for each part, so that a slow client holds no connection. */
async function* chunks(
  { pool }: Pick<Base, "pool">,
  id: string,
  columns: readonly string[],
): AsyncGenerator<string, void> {
  let chunk = `${columns.join()}\r\n`;
  for (let last = -1; ; ) {
    const { rows } = await pool.query<{
      number: number;
      result: Readonly<Record<string, string | number>>[];
    }>({
      name: "job-results",
      text: `select number, result from job_parts where job_id = $1 and number > $2 and result is not null
             order by number limit 10`,
      values: [id, last],
    });
    for (const { number, result } of rows) {
      last = number;
      for (const each of result) chunk += csvRow(columns.map((name) => each[name]));
    }
    if (rows.length === 0) break;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

export const jobsRouter = router({
  list: listJobs,
  get: getJob,
  cancel: cancelJob,
  result: jobResult,
});
