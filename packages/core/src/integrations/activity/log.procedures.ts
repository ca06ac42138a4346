import * as z from "zod";
import {
  loggedActions,
  type LoggedActivity,
  loggedActivitySchema,
  loggedActorKinds,
  loggedInFile,
} from "../../accounts/activity/activity.schema.ts";
import { type AccountCall, accountProcedure } from "../../analytics/call.ts";
import { sql } from "../../db/sql.ts";
import type { Database } from "../../db/statements.ts";
import { utcDate } from "../../kernel/time.ts";
import { bomField, streamedFile, withByteOrderMark } from "../../kernel/validation/files.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { fieldsOf, oneOf, timeInput } from "../../kernel/validation/inputs.ts";
import { refused } from "../../kernel/validation/issues.ts";
import { pageInput, pageMeta, pageOf, withListSlot } from "../../kernel/validation/pagination.ts";
import { reading } from "../../rpc/call.ts";
import { withExportSlot } from "../../rpc/export-slot.ts";
import { router } from "../../rpc/procedure.ts";
import { csvRow } from "@terse/importers/csv";
import { countSql, type LogFilter, type LogRow, logSql, pageSql, toEntries } from "./log.ts";

const noAction = "must be one or more of the actions that /docs/activity lists";
const actionInput = z.enum(loggedActions, { error: noAction });

const filterFields = {
  actor: z
    .string()
    .refine(
      (text) => isId(text) || loggedActorKinds.some((kind) => kind === text),
      refused("invalid_choice", `must be an id, or one of ${loggedActorKinds.join(", ")}`, {
        choices: [...loggedActorKinds],
      }),
    )
    .meta({
      description: "Entries of the person, session or API key with this id, or of this kind of actor",
      examples: ["user"],
    })
    .optional(),
  action: z
    .union([actionInput, z.array(actionInput).min(1).max(loggedActions.length)], { error: noAction })
    .transform((oneOrMore) => [oneOrMore].flat())
    .describe("Entries with this action; if repeated, with any of the actions")
    .optional(),
  from: timeInput("Entries of this time or later").optional(),
  to: timeInput("Entries before this time").optional(),
};

/** The list ends here, so that its last page costs little. */
const maxListed = 10_000;

/** Lists who did what in the workspace, newest first. */
const listLog = accountProcedure
  .meta({
    scope: "webhooks",
    route: "GET /v1/activity",
    tag: "Activity",
    summary: "List the activity of the workspace",
    description: `Who did what to what, when and from where: sign-ins, members, keys, domains, webhooks, pages, tags, and changes of links. The last ${maxListed.toLocaleString("en")} entries that match; with \`format\`, a file with all of them. Kept for a year unless the operator set ACTIVITY_DAYS, changes of links HISTORY_DAYS.`,
    fileAt: "/v1/activity/export",
    successDescription: "One page of the workspace's activity, newest first",
  })
  .input(pageInput("Entries", 50, filterFields).prefault({}))
  .output(pageOf(loggedActivitySchema))
  .query(async ({ ctx, input: { page, limit, ...filter } }) => {
    const { deps, account } = reading(ctx);
    const { pool } = deps;
    const offset = Math.min((page - 1) * limit, maxListed);
    const most = Math.min(limit, maxListed - offset);
    return withListSlot(pool, account.id, async () => {
      const [{ rows }, { rows: counted }] = await Promise.all([
        pool.query<LogRow>(pageSql(account.id, filter, offset, most)),
        pool.query<{ total: number }>(countSql(account.id, filter, maxListed)),
      ]);
      const data = await toEntries(ctx.em, pool, rows);
      return { data, meta: pageMeta(page, limit, counted[0]?.total ?? 0) };
    });
  });

const formats = ["csv", "json"] as const;
type Format = (typeof formats)[number];

/** The columns of CSV, and an entry's cells. */
const columns: readonly [name: string, cell: (entry: LoggedActivity) => string | number | null][] = [
  ["id", ({ id }) => id],
  ["at", ({ at }) => at],
  ["actor_kind", ({ actor }) => actor.kind],
  ["actor_id", ({ actor }) => actor.id],
  ["actor_name", ({ actor }) => actor.name],
  ["user_id", ({ actor }) => actor.user_id],
  ["session_id", ({ actor }) => actor.session_id],
  ["action", ({ action }) => action],
  ["target_kind", ({ target }) => target.kind],
  ["target_id", ({ target }) => target.id],
  ["target_name", ({ target }) => target.name],
  ["address", ({ address }) => address],
  ["client", ({ details }) => details.client],
  ["about", ({ details }) => details.about],
  ["count", ({ details }) => details.count],
  ["fields", ({ details: { fields } }) => (Object.keys(fields).length > 0 ? JSON.stringify(fields) : null)],
  ["previous_hash", ({ previous_hash }) => previous_hash],
];
const head = csvRow(columns.map(([name]) => name));
const csv = z.string().meta({ examples: [head] });

/** Exports the activity that passes a filter, as `audit.list` shows it. */
const exportLog = accountProcedure
  .meta({
    scope: "webhooks",
    route: "GET /v1/activity/export",
    tag: "Activity",
    summary: "Export the activity of the workspace",
    description:
      "All entries that match, as of one moment, newest first. The same as `GET /v1/activity` with `format`.",
    successDescription: "The file",
    successContent: { "text/csv": csv, "application/json": z.array(loggedInFile) },
  })
  .input(
    fieldsOf({
      format: oneOf(formats).meta({ description: "csv is RFC 4180; json is an array" }).default("csv"),
      bom: bomField,
      ...filterFields,
    }).prefault({}),
  )
  .output(streamedFile)
  .query(({ ctx, input: { format, bom, ...filter } }) => {
    const body = withExportSlot(ctx.deps.pool, ctx.account.id, ({ database }) =>
      exportChunks(database, ctx, filter, format),
    );
    return {
      content_type: `${format === "csv" ? "text/csv" : "application/json"}; charset=utf-8`,
      file_name: `terse-activity-${utcDate(ctx.deps.clock().getTime())}.${format}`,
      disposition: "attachment" as const,
      body: bom && format === "csv" ? withByteOrderMark(body) : body,
    };
  });

/** Few enough that other requests hardly wait for them */
const rowsPerFetch = 500;

async function* exportChunks(
  database: Database,
  { account, em }: AccountCall,
  filter: LogFilter,
  format: Format,
): AsyncGenerator<string, void> {
  await database.query(sql`declare logged no scroll cursor for ${logSql(account.id, filter)}`);
  let chunk = format === "csv" ? head : "[";
  for (let isFirst = true; ; ) {
    const { rows } = await database.query<LogRow>(`fetch ${rowsPerFetch} from logged`);
    for (const entry of await toEntries(em, database, rows)) {
      if (format === "csv") chunk += csvRow(columns.map(([, cell]) => cell(entry)));
      else chunk += `${isFirst ? "" : ",\n"}${JSON.stringify(entry)}`;
      isFirst = false;
    }
    if (rows.length < rowsPerFetch) break;
    yield chunk;
    chunk = "";
  }
  yield format === "csv" ? chunk : `${chunk}]\n`;
}

export const auditRouter = router({
  list: listLog,
  export: exportLog,
});
