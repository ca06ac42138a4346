import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { shown } from "../../kernel/validation/strings.ts";
import { accountFilter, type OwnRows, ownRows } from "../own-rows.ts";
import { type Job, type JobCounts, jobSchema, type JobStatus } from "./job.schema.ts";

/** A job as its account reads it. What it changes is a change with its id. */
export const JobEntity = defineEntity({
  name: "Job",
  tableName: "jobs",
  filters: accountFilter,
  properties: {
    id: p.uuid().primary(),
    account_id: p.uuid(),
    kind: p.text(),
    status: p.text().$type<JobStatus>(),
    done: p.integer(),
    total: p.integer(),
    counts: p.json().$type<JobCounts>(),
    /** Of an import */
    not_taken: p
      .json()
      .$type<string[]>()
      .nullable()
      .formula((_, table) => `${table.alias}.input -> 'not_taken'`),
    error: p.text().nullable(),
    created_at: p.datetime(3),
    ended_at: p.datetime(3).nullable(),
    change_id: p
      .uuid()
      .nullable()
      .formula(({ id }) => `(select id from changes where id = ${id})`),
    undone_by: p
      .uuid()
      .nullable()
      .formula(({ id }) => `(select undone_by from changes where id = ${id})`),
  },
});

export const jobs: OwnRows<InferEntity<typeof JobEntity>, Job> = ownRows(JobEntity, "Job", (row) =>
  shown(jobSchema, {
    ...row,
    ...((row.done > 0 || row.not_taken) && {
      result: { ...row.counts, ...(row.not_taken && { not_taken: row.not_taken }) },
    }),
    problem: row.error,
  }),
);
