import type { AccountCall, LinkDeps } from "../call.ts";
import { sql, type Sql } from "../../db/sql.ts";
import type { Database } from "../../db/statements.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { enqueue } from "../../rpc/jobs/enqueue.ts";
import { mapOrRefuse } from "../accept.ts";
import { linksSql } from "../list/links-sql.ts";
import { conditionOf, type LinkFilter } from "../list/filter.ts";
import { maxBulkLinks, type ChangedMany } from "./bulk.schema.ts";
import { LockMode } from "@mikro-orm/core";
import type { Em } from "../../db/em.ts";
import { notFound } from "../../kernel/errors.ts";
import { toFailure } from "../../rpc/failure.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { assertEnabled, LinkEntity } from "../link.row.ts";
import { limiterPerPool } from "../../kernel/async/concurrency-limiter.ts";

/** Links of one part of a job: few enough that other requests hardly wait for the transaction that changes them */
export const linksPerPart = 250;

/** The ids of the links that pass a filter; null if there are too many to change them at once. */
export async function selectedIds(ctx: AccountCall, filter: LinkFilter): Promise<string[] | null> {
  const { rows } = await ctx.deps.pool.query<{ id: string }>(
    sql`${await queryOf(ctx, filter)} limit ${maxBulkLinks + 1}`,
  );
  return rows.length > maxBulkLinks ? null : rows.map(({ id }) => id);
}

/** Starts a job for all links that match a filter now; later matches make no difference. */
export async function startJob(
  ctx: AccountCall,
  filter: LinkFilter,
  kind: string,
  input: object,
): Promise<{ job_id: string }> {
  const ids = await queryOf(ctx, filter);
  return inIdempotentTransaction(ctx, (database) => enqueueLinks(ctx, database, { kind, input }, ids));
}

/** Adds a job, in a transaction, for the items that `ids` selects. */
export async function enqueueLinks(
  { deps, account, actor, reply }: AccountCall,
  database: Database,
  job: { kind: string; input: object },
  ids: Sql,
): Promise<{ job_id: string }> {
  reply.status = 202;
  const made = { accountId: account.id, actor, permission: "links:write", ...job } as const;
  const job_id = await enqueue(deps, database, made, async (id) => {
    await database.query(
      sql`insert into job_parts (job_id, number, size, items)
        select ${id}, number, count(*), json_agg(id order by id)
        from (select id, (row_number() over (order by id) - 1) / ${linksPerPart} as number from (${ids}) selected) numbered
        group by number`,
    );
  });
  return { job_id };
}

/** A statement that selects the ids of the account's links that pass a filter. */
export const queryOf = async (ctx: AccountCall, filter: LinkFilter): Promise<Sql> =>
  linksSql(ctx, await conditionOf(ctx, filter), { columns: ["id"] });

export type BulkLink = Awaited<ReturnType<typeof read>>[number];

/** Rows are locked in the order of their ids, as they are when clicks are counted, which rules out deadlocks. */
const read = (em: Em, ids: readonly string[], lock: "locked" | "unlocked") =>
  em.find(
    LinkEntity,
    { id: { $in: ids.filter(isId) } },
    {
      orderBy: { id: "asc" },
      disableIdentityMap: true,
      ...(lock === "locked" && { lockMode: LockMode.PESSIMISTIC_WRITE }),
    },
  );

/** Links of an account by their ids, and why some of them cannot be changed. */
export class Selection {
  /** The links that may be changed so far */
  links: readonly BulkLink[];
  readonly #matched: number;
  readonly #results: ChangedMany["results"] = [];

  private constructor(found: BulkLink[]) {
    this.links = found;
    this.#matched = found.length;
  }

  /** Reads the links, without those that an operator disabled. An id that is sent twice counts once. */
  static async of(em: Em, ids: readonly string[], lock: "locked" | "unlocked"): Promise<Selection> {
    const distinct = new Set(ids.map((id) => id.toLowerCase()));
    const selection = new Selection(await read(em, [...distinct], lock));
    for (const { id } of selection.links) distinct.delete(id);
    for (const id of distinct) selection.#results.push(refusalOf(id, notFound("Link")));
    await selection.check((link) => assertEnabled("link", link));
    return selection;
  }

  /** Leaves out the links for which `check` throws. */
  async check(check: (link: BulkLink) => void | Promise<void>): Promise<void> {
    const step = async (link: BulkLink) => {
      await check(link);
      return link;
    };
    this.links = await mapOrRefuse(this.links, step, ({ id }, error) => {
      this.#results.push(refusalOf(id, error));
    });
  }

  /** The answer after all links that are left have been changed. */
  answer(): ChangedMany {
    return { matched: this.#matched, changed: this.links.length, change_id: null, results: this.#results };
  }
}

/** The result of a link that is not changed, from an error that is about this link alone; throws other errors. */
export function refusalOf(id: string, error: unknown): ChangedMany["results"][number] {
  const { status, message, issues } = toFailure(error);
  if (status >= 500) throw error;
  return { id, status, error: message, issues };
}

/** Large operations get few connections, and an account only one, so that others are not slowed down. */
const limiterOf = limiterPerPool("bulk operations", 1 / 6);
const timeoutMs = 10_000;

/** Performs an operation on many links once it is the account's turn; 503 if that takes too long. */
export const withBulkSlot = <T>(
  { pool }: Pick<LinkDeps, "pool">,
  accountId: string,
  work: () => Promise<T>,
): Promise<T> => limiterOf(pool).run(accountId, timeoutMs, work);
