import type { Base } from "../../db/base.ts";
import * as z from "zod";
import { csvRow } from "../../kernel/csv.ts";
import { accountProcedure } from "../procedure.ts";
import { bomField, streamedFile, withByteOrderMark } from "../../kernel/validation/files.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { findJob } from "./get.ts";

/** Columns of the result file by the kind of job, which are members of each result. */
export const resultColumns: Readonly<Record<string, readonly string[]>> = {
  "links.update": ["id", "status", "error"],
  "links.delete": ["id", "status", "error"],
  "links.undo": ["id", "status", "error"],
  "links.import": ["row", "url", "short_url", "reason"],
};
const csv = z.string().meta({ examples: ["id,status,error\r\n"] });

/** Returns a file with what became of single links. */
export const jobResult = accountProcedure
  .meta({
    scope: ["links:read", "links:write"],
    openapi: {
      method: "GET",
      path: "/v1/jobs/{id}/result",
      tags: ["Jobs"],
      summary: "Get the result file of a job",
      description:
        "CSV. Of an import, each row with its short URL or the reason why it has none; of other jobs, the links that could not be changed. While the job is under way, what there is so far.",
      successDescription: "The file",
      successContent: { "text/csv": csv },
      errors: [404],
    },
  })
  .input(fieldsOf({ id: z.string(), bom: bomField }))
  .output(streamedFile)
  .query(async ({ ctx: { deps, account }, input: { id, bom } }) => {
    const job = await findJob(deps, account.id, id);
    const body = pieces(deps, id, resultColumns[job.kind] ?? []);
    return {
      content_type: "text/csv; charset=utf-8",
      file_name: `terse-job-${id}.csv`,
      disposition: "attachment" as const,
      body: bom ? withByteOrderMark(body) : body,
    };
  });

/** One statement for each part, so that a slow client holds no connection. */
async function* pieces(
  { pool }: Pick<Base, "pool">,
  id: string,
  columns: readonly string[],
): AsyncGenerator<string, void> {
  let piece = `${columns.join()}\r\n`;
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
      for (const each of result) piece += csvRow(columns.map((name) => each[name]));
    }
    if (rows.length === 0) break;
    yield piece;
    piece = "";
  }
  yield piece;
}
