import type { AccountCall, LinkDeps } from "../call.ts";
import { sql, type Sql } from "../../db/sql.ts";
import type { Database } from "../../db/statements.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { enqueue } from "../../rpc/jobs/enqueue.ts";
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

/** The links that a change is about. */
interface LinkSelection {
  ids?: readonly string[] | undefined;
  filter?: LinkFilter | undefined;
}

/** The ids of the selected links; null if there are too many to change them at once. */
export async function selectedIds(
  ctx: AccountCall,
  { ids, filter = {} }: LinkSelection,
): Promise<readonly string[] | null> {
  if (ids) return ids;
  const { rows } = await ctx.deps.pool.query<{ id: string }>(
    sql`${await queryOf(ctx, filter)} limit ${maxBulkLinks + 1}`,
  );
  return rows.length > maxBulkLinks ? null : rows.map(({ id }) => id);
}

/** Starts a job for all links that pass a filter now: what passes it later makes no difference. */
export async function startJob(
  ctx: AccountCall,
  filter: LinkFilter,
  kind: string,
  input: object,
): Promise<{ job_id: string }> {
  const query = await queryOf(ctx, filter);
  return inIdempotentTransaction(ctx, async (database) => {
    const job = { accountId: ctx.account.id, kind, input };
    ctx.reply.status = 202;
    return { job_id: await enqueue(ctx.deps, database, job, (id) => addParts(database, id, query)) };
  });
}

const addParts = async (database: Database, jobId: string, query: Sql): Promise<void> => {
  await database.query(
    sql`insert into job_parts (job_id, number, size, items)
     select ${jobId}, number, count(*), json_agg(id order by id)
     from (select id, (row_number() over (order by id) - 1) / ${linksPerPart} as number from (${query}) selected) numbered
     group by number`,
  );
};

/** A statement that selects the ids of the account's links that pass a filter. */
const queryOf = async (ctx: AccountCall, filter: LinkFilter): Promise<Sql> =>
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
  readonly #results: ChangedMany["results"] = [];
  readonly #matched: number;
  #links: BulkLink[];

  private constructor(found: BulkLink[]) {
    this.#matched = found.length;
    this.#links = found;
  }

  /** Reads the links, without those that an operator disabled. An id that is sent twice counts once. */
  static async of(em: Em, ids: readonly string[], lock: "locked" | "unlocked"): Promise<Selection> {
    const distinct = new Set(ids.map((id) => id.toLowerCase()));
    const found = await read(em, [...distinct], lock);
    const selection = new Selection(found);
    const known = new Set(found.map(({ id }) => id));
    for (const id of distinct) if (!known.has(id)) selection.#refuse(id, notFound("Link"));
    await selection.check((link) => assertEnabled("link", link));
    return selection;
  }

  /** The links that may be changed so far */
  get links(): readonly BulkLink[] {
    return this.#links;
  }

  /** Leaves out the links for which `check` throws. */
  async check(check: (link: BulkLink) => void | Promise<void>): Promise<void> {
    const passed: BulkLink[] = [];
    for (const link of this.#links) {
      try {
        await check(link);
        passed.push(link);
      } catch (error) {
        this.#refuse(link.id, error);
      }
    }
    this.#links = passed;
  }

  #refuse(id: string, error: unknown): void {
    const { status, message } = toFailure(error);
    if (status >= 500) throw error;
    this.#results.push({ id, status, error: message });
  }

  /** The answer after all links that are left have been changed. */
  answer(): ChangedMany {
    return { matched: this.#matched, changed: this.links.length, change_id: null, results: this.#results };
  }
}

/** Large operations get few of the connections, and one account gets one, so that others are not slower beside them. */
const limiterOf = limiterPerPool("bulk operations", 1 / 6);
const timeoutMs = 10_000;

/** Performs an operation on many links once it is the account's turn; 503 if that takes too long. */
export const withBulkSlot = <T>({ pool }: LinkDeps, accountId: string, work: () => Promise<T>): Promise<T> =>
  limiterOf(pool).run(accountId, timeoutMs, work);
