import { accountProcedure } from "../procedure.ts";
import { pageInput, pageMeta, pageOf, withListSlot } from "../../kernel/validation/pagination.ts";
import { jobColumns, type JobRow, toJob } from "./job.row.ts";
import { jobSchema } from "./job.schema.ts";

/** Lists the account's jobs, newest first. */
export const listJobs = accountProcedure
  .meta({
    scope: ["links:read", "links:write"],
    openapi: {
      method: "GET",
      path: "/v1/jobs",
      tags: ["Jobs"],
      summary: "List jobs",
      description:
        "Work in the background: what waits, what is under way, and what ended in the last seven days.",
      successDescription: "One page of the account's jobs, newest first",
    },
  })
  .input(pageInput("Jobs", 20).prefault({}))
  .output(pageOf(jobSchema))
  .query(async ({ ctx, input: { page, limit } }) => {
    const { pool } = ctx.deps;
    const [{ rows }, counted] = await withListSlot(pool, ctx.account.id, () =>
      Promise.all([
        pool.query<JobRow>({
          name: "list-jobs",
          text: `select ${jobColumns} from jobs where account_id = $1 order by id desc limit $2 offset $3`,
          values: [ctx.account.id, limit, (page - 1) * limit],
        }),
        pool.query<{ total: number }>({
          name: "count-jobs",
          text: "select count(*)::int as total from jobs where account_id = $1",
          values: [ctx.account.id],
        }),
      ]),
    );
    return { data: rows.map(toJob), meta: pageMeta(page, limit, counted.rows[0]?.total ?? 0) };
  });
