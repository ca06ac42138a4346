import { accountProcedure, type AnalyticsDeps, recentlySignedIn } from "../../analytics/call.ts";
import type { PoolClient } from "pg";
import { assertUnusedByOthers } from "../../accounts/workspaces/workspace.row.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { type ClickSource, completeSource } from "../../analytics/questions/source.ts";
import { exportPieces, type Writer, writers } from "../../analytics/exports/rows.ts";
import { inTransaction } from "../../db/connection.ts";
import { withExportSlot } from "../../rpc/export-slot.ts";
import { refusal } from "../../kernel/errors.ts";
import { dayMs, utcDate } from "../../kernel/time.ts";
import { streamedFile } from "../../kernel/validation/files.ts";
import { partsOf } from "./export-parts.ts";
import * as z from "zod";
import { timestamp } from "../../kernel/validation/strings.ts";
import { router } from "../../rpc/procedure.ts";

const rowsPerFetch = 1000;
const pieceLength = 64 * 1024;

export const exportAccount = accountProcedure
  .meta({
    scope: "account",
    route: "GET /v1/me/export",
    tag: "Account",
    summary: "Export the account",
    description:
      "Everything stored about the account, as of one moment: one JSON object per line, with its kind in `type`. An API key must have no scopes. Secrets such as passwords and keys are left out; only their hashes are stored.",
    successDescription: "The file",
    successContent: { "application/x-ndjson": z.string() },
  })
  .output(streamedFile)
  .query(async ({ ctx }) => {
    const { account, actor, deps } = ctx;
    if (actor.kind === "account" && actor.key?.scopes) {
      const [credential, message] = actor.key.is_connection
        ? [
            "connection",
            "A connected program cannot export the account: use the console, or an API key without scopes",
          ]
        : ["scoped_key", "An API key with scopes cannot export the account: use another one, or sign in"];
      throw refusal("FORBIDDEN", "", "credential_refused", message, { credential });
    }
    const now = deps.clock().getTime();
    const source = await completeSource(deps, account.id);
    await recordActivity(deps, actorOf(ctx), "exported");
    return {
      content_type: "application/x-ndjson; charset=utf-8",
      file_name: `terse-account-${utcDate(now)}.ndjson`,
      disposition: "attachment" as const,
      body: withExportSlot(deps.pool, account.id, async function* ({ database }) {
        for (const [type, query] of Object.entries(partsOf(database.escapeLiteral(account.id))))
          yield* rowsOf(database, type, query);
        yield* clicksOf(database, deps, account.id, now, source);
      }),
    };
  });

async function* rowsOf(database: PoolClient, type: string, query: string): AsyncGenerator<string, void> {
  await database.query(`declare part no scroll cursor for ${query}`);
  for (;;) {
    const { rows, fields } = await database.query<Record<string, unknown>>(`fetch ${rowsPerFetch} from part`);
    let piece = "";
    for (const row of rows) {
      piece += lineOf(type, row, fields);
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
    if (piece !== "") yield piece;
    if (rows.length < rowsPerFetch) break;
  }
  await database.query("close part");
}

/** The raw clicks of people, as in the export of analytics. */
function clicksOf(
  database: PoolClient,
  { shortHost }: Pick<AnalyticsDeps, "shortHost">,
  accountId: string,
  now: number,
  { copy }: ClickSource,
) {
  const window = { from: 0, to: now + dayMs };
  const writer: Writer = {
    ...writers.json,
    head: () => "",
    between: "",
    tail: "",
    begin: '{"type":"click","timestamp":"',
    end: "}\n",
  };
  const question = { accountId, window, filters: [], copy, position: { after: null } };
  return exportPieces(database, shortHost, writer, question);
}

/** PostgreSQL types that an export writes in its own way. */
const timestamptz = 1184;
const bigint = 20;

/** One row as a line of an export: times in ISO 8601, numbers as numbers. */
export function lineOf(
  type: string,
  row: Readonly<Record<string, unknown>>,
  fields: readonly { name: string; dataTypeID: number }[],
): string {
  const line: Record<string, unknown> = { type };
  for (const { name, dataTypeID } of fields) {
    const value = row[name];
    if (value === null) line[name] = null;
    else if (dataTypeID === timestamptz) line[name] = new Date(value as string).toISOString();
    else line[name] = dataTypeID === bigint ? Number(value) : value;
  }
  return `${JSON.stringify(line)}\n`;
}

/** A sign-in within this time restores a deleted account. */
const graceMs = 7 * dayMs;

/**
 * Deletes the account. Its links, sessions and keys stop at once; everything is erased seven days later, unless its owner
 * signs in before.
 */
export const deleteAccount = recentlySignedIn("delete the account")
  .meta({
    scope: "account",
    route: "DELETE /v1/me",
    tag: "Account",
    summary: "Delete the account",
    description:
      "All sessions end, API keys are refused and links answer 410 at once. Signing in within seven days restores the account. After that, it is erased with everything in it. 403 while the personal workspace shares domains.",
    successDescription: "When the account will be erased",
  })
  .output(z.object({ deletes_at: timestamp.describe("Signing in before this time restores the account") }))
  .mutation(async ({ ctx }) => {
    const { account, deps } = ctx;
    const deletes_at = new Date(deps.clock().getTime() + graceMs);
    await inTransaction(deps.pool, async (database) => {
      const { rows } = await database.query<{ name: string }>(
        `select w.name from members m join workspaces w on w.id = m.workspace_id
         where m.user_id = $1 and m.role = 'owner' and not w.personal and w.deletes_at is null and exists (
           select from members o where o.workspace_id = w.id and o.user_id <> $1) limit 1`,
        [account.id],
      );
      const [owned] = rows;
      if (owned) throw ownsWorkspace(owned.name);
      await assertUnusedByOthers(database, account.id);
      await database.query("update workspaces set deletes_at = $2 where id = $1", [account.id, deletes_at]);
      await database.query("delete from sessions where account_id = $1", [account.id]);
      await database.query("delete from login_links where account_id = $1", [account.id]);
    });
    await recordActivity(deps, actorOf(ctx), "deletion_requested");
    return { deletes_at: deletes_at.toISOString() };
  });

const ownsWorkspace = (name: string) =>
  refusal(
    "FORBIDDEN",
    "",
    "forbidden",
    `You own the workspace ${name}, which has other members: transfer or delete it first`,
    { reason: "owns_workspace", name },
  );

export const accountRouter = router({
  export: exportAccount,
  delete: deleteAccount,
});
