import { accountProcedure } from "../procedure.ts";
import { byId } from "../../kernel/validation/ids.ts";
import { endJob } from "./end.ts";
import { findJob } from "./get.ts";
import { toJob } from "./job.row.ts";
import { jobSchema } from "./job.schema.ts";

/** Cancels a job: nothing more is changed from the moment of the answer; what was done stays. One that has ended stays as it is. */
export const cancelJob = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "DELETE",
      path: "/v1/jobs/{id}",
      tags: ["Jobs"],
      summary: "Cancel a job",
      description: "What it has done stays. A job that has ended stays as it is.",
      successDescription: "The job as it ended",
      errors: [404],
    },
  })
  .input(byId)
  .output(jobSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps, account } = ctx;
    const job = await findJob(deps, account.id, id);
    await endJob(deps, job, { status: "cancelled", error: null });
    return toJob(await findJob(deps, account.id, id));
  });
