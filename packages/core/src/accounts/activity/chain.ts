import type { Base } from "../../db/base.ts";
import type { CallDeps } from "../../rpc/call.ts";
import { notFound } from "../../kernel/errors.ts";
import { isoTime } from "../../kernel/time.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import type { ActivityCheck } from "./activity.schema.ts";

/**
 * Each line of a workspace's log carries the hash of the line before it, so that a line that was changed, added or removed
 * afterwards is found. The hash covers all columns but `count`, which repetitions increase. Triggers of 0013-activity.ts chain
 * the lines; this file checks them, and shortens a chain at its old end. What is hashed never changes: a log outlives versions.
 */

const hashed = [
  "position",
  "id",
  "account_id",
  "action",
  "by_kind",
  "by_id",
  "by_name",
  "user_id",
  "about",
  "target_id",
  "target_name",
  "fields",
  "network",
  "client",
];

/** SQL: the hash of a line of `activity`. JSON, so that a text cannot run into the next one; of the time, milliseconds. */
export const activityHash = (line: string) =>
  `sha256(convert_to(jsonb_build_array(encode(${line}.previous, 'hex'), (extract(epoch from ${line}.at) * 1000)::bigint, ${hashed
    .map((column) => `${line}.${column}`)
    .join(", ")})::text, 'UTF8'))`;

interface Line {
  id: string;
  at: string;
  position: string;
  hash: string;
  next: string | null;
  carried: string | null;
}

/** Checks the chain of the workspace with an id or slug, as of one moment. 404 if there is none. */
export async function verifyActivity(
  { pool }: Pick<Base, "pool">,
  workspace: string,
): Promise<ActivityCheck> {
  const { rows: found } = await pool.query<{ id: string }>(
    "select id from workspaces where id = $1 or slug = $2 order by slug is not distinct from $2",
    [idOrNull(workspace), workspace],
  );
  const id = found[0]?.id;
  if (id === undefined) throw notFound("Workspace");
  const { rows } = await pool.query<{
    first: string | null;
    last: string | null;
    head: string | null;
    lines: number;
    unchained: number;
    oldest: string | null;
    wrong: Line | null;
    extra: { id: string; at: string } | null;
  }>(
    `with line as (
       select id, at, position, encode(${activityHash("a")}, 'hex') as hash,
         lead(position) over newer as next, encode(lead(previous) over newer, 'hex') as carried
       from activity a where account_id = $1 and position is not null window newer as (order by position)
     ), chain as (select first, last, encode(hash, 'hex') as head from activity_chains where account_id = $1)
     select chain.*, (select count(*)::int from line) as lines,
       (select count(*)::int from activity where account_id = $1 and position is null) as unchained,
       (select min(position) from line) as oldest,
       (select jsonb_build_object('id', id, 'at', at, 'hash', hash, 'position', position::text,
          'next', next::text, 'carried', carried)
        from line where coalesce(next <> position + 1 or carried <> hash, position <> last or hash <> head)
        order by position limit 1) as wrong,
       (select jsonb_build_object('id', id, 'at', at) from activity
        where account_id = $1 and position is null and last > 0 order by at limit 1) as extra
     from (select) one left join chain on true`,
    [id],
  );
  const [{ first, last, head, lines, unchained, oldest, wrong, extra } = {} as (typeof rows)[0]] = rows;
  return {
    workspace: id,
    lines: lines ?? 0,
    unchained: unchained ?? 0,
    position: Number(last ?? 0),
    hash: head ?? "",
    broken: brokenIn(),
  };

  function brokenIn(): ActivityCheck["broken"] {
    if (extra)
      return {
        position: 0,
        ...extra,
        at: isoTime(extra.at),
        reason: "it is in the log, but not in its chain",
      };
    if (last === null || last === undefined) return null;
    if (Number(first) <= Number(last) && oldest !== first) return missing(Number(first));
    if (!wrong) return null;
    const { position, next, carried, hash } = wrong;
    const isChanged = carried === null ? position === last : carried !== hash;
    if (isChanged && (next === null || Number(next) === Number(position) + 1))
      return {
        position: Number(position),
        id: wrong.id,
        at: isoTime(wrong.at),
        reason: "it was changed, or the line after it was",
      };
    return missing(Number(position) + 1);
  }
}

const missing = (position: number) => ({ position, id: null, at: null, reason: "it is missing" });

/** Lines that a workspace keeps; the oldest ones beyond are deleted, far more than outsiders and people cause in a year. */
const maxLines = 100_000;

/**
 * Deletes lines that are older than `activityDays`, and those that are too many, from the old end of each chain only: what is
 * left can still be verified. The earlier of both clocks counts. Safe on several nodes at once.
 */
export async function trimActivity({
  pool,
  clock,
  activityDays,
}: Pick<CallDeps, "pool" | "clock" | "activityDays">): Promise<void> {
  const values = [clock(), `${activityDays} days`];
  const cutoff = (now: string, age: string) => `least(${now}::timestamptz, now()) - ${age}::interval`;
  const { rows } = await pool.query<{ account_id: string }>(
    `select distinct account_id from activity where at < ${cutoff("$1", "$2")}
     union select account_id from activity_chains where last - first >= ${maxLines}`,
    values,
  );
  for (const { account_id } of rows) {
    await pool.query(
      `with chain as (select first, last from activity_chains where account_id = $1 for update), kept as (
         select greatest(first, last - ${maxLines - 1}, coalesce(
           (select position from activity where account_id = $1 and at >= ${cutoff("$2", "$3")}
              and position is not null order by position limit 1), last + 1)) as first
         from chain
       ), deleted as (
         delete from activity where account_id = $1
           and (position < (select first from kept) or position is null and at < ${cutoff("$2", "$3")})
       )
       update activity_chains set first = kept.first from kept where account_id = $1`,
      [account_id, ...values],
    );
  }
}
