import type { AccountDeps } from "../call.ts";
import { AppError, notFound } from "../../kernel/errors.ts";
import { isoTime } from "../../kernel/time.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { reasonInput } from "../../kernel/validation/strings.ts";
import type { AccountDetails } from "./accounts.types.ts";

/** For every transport: a suspended account signs in nowhere, and its keys and sessions are refused. */
export const accountSuspended = () =>
  new AppError("FORBIDDEN", "This account is suspended; ask the operator of this service");

/** Suspends an account, or resumes it with null. A trigger makes all processes drop its routes. 404 if there is none. */
export async function setSuspended(
  { pool, clock }: AccountDeps,
  id: string,
  reason: string | null,
): Promise<void> {
  const text = reason === null ? null : parseOr400(reasonInput, { reason }).reason;
  const { rowCount } = await pool.query(
    `update users set suspended_reason = $2,
       suspended_at = case when $2::text is null then null else coalesce(suspended_at, $3) end
     where id = $1`,
    [idOrNull(id), text, clock()],
  );
  if (rowCount === 0) throw notFound("Account");
}

type Row = Omit<AccountDetails, "created_at" | "suspended_at" | "deletes_at"> & {
  created_at: number;
  suspended_at: number | null;
  deletes_at: number | null;
};

/** Returns what operators need to know about an account, in one read. 404 if there is none. */
export async function readDetails({ pool }: AccountDeps, id: string): Promise<AccountDetails> {
  const count = (table: string, condition = "true") =>
    `(select count(*) from ${table} where account_id = u.id and ${condition})::float8`;
  const { rows } = await pool.query<Row>(
    `select u.id, u.email, u.email_verified, u.name, u.plan,
       (extract(epoch from u.created_at) * 1000)::float8 as created_at,
       (extract(epoch from u.suspended_at) * 1000)::float8 as suspended_at, u.suspended_reason,
       (extract(epoch from u.deletes_at) * 1000)::float8 as deletes_at,
       ${count("links")} as links, ${count("links", "disabled_at is not null")} as disabled_links,
       ${count("buckets")} as buckets, ${count("api_keys")} as keys, ${count("sessions")} as sessions,
       ${count("identities")} as identities, ${count("reports", "closed_at is null")} as open_reports,
       array(select domain from domains where account_id = u.id and deleted_at is null order by domain) as domains
     from users u where u.id = $1`,
    [idOrNull(id)],
  );
  const [row] = rows;
  if (!row) throw notFound("Account");
  return {
    ...row,
    created_at: new Date(row.created_at).toISOString(),
    suspended_at: isoTime(row.suspended_at),
    deletes_at: isoTime(row.deletes_at),
  };
}
