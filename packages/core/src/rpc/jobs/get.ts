import type { Base } from "../../db/base.ts";
import { notFound } from "../../kernel/errors.ts";
import { accountProcedure } from "../procedure.ts";
import { byId, idOrNull } from "../../kernel/validation/ids.ts";
import { jobColumns, type JobRow, toJob } from "./job.row.ts";
import { jobSchema } from "./job.schema.ts";

/** Shows a job and its progress. */
export const getJob = accountProcedure
  .meta({
    scope: ["links:read", "links:write"],
    openapi: {
      method: "GET",
      path: "/v1/jobs/{id}",
      tags: ["Jobs"],
      summary: "Get a job",
      successDescription: "The job and its progress",
      errors: [404],
    },
  })
  .input(byId)
  .output(jobSchema)
  .query(async ({ ctx, input: { id } }) => toJob(await findJob(ctx.deps, ctx.account.id, id)));

/** The account's job with this id; 404 if the account has none. */
export async function findJob({ pool }: Pick<Base, "pool">, accountId: string, id: string): Promise<JobRow> {
  const { rows } = await pool.query<JobRow>({
    name: "get-job",
    text: `select ${jobColumns} from jobs where id = $1 and account_id = $2`,
    values: [idOrNull(id), accountId],
  });
  const [row] = rows;
  if (!row) throw notFound("Job");
  return row;
}
