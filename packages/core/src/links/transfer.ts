import * as z from "zod";
import { findWorkspace } from "../accounts/workspaces/workspace.procedures.ts";
import { moveClicks } from "../clicks/move-clicks.ts";
import { waitForPacking } from "../clicks/packed/packing.ts";
import type { Database } from "../db/statements.ts";
import { assertNoKnownLoops, findLoops } from "../domains/redirect-loops.ts";
import { holdDomains } from "../domains/sharing.ts";
import { type Change, changeBy, authorOf, contextOf, setChangeContext } from "../history/change.ts";
import { checkEach, refusal } from "../kernel/errors.ts";
import type { Account, Author } from "../kernel/context.ts";
import { ownDomainId } from "../kernel/host-names.ts";
import { requireFeature } from "../kernel/plans.ts";
import { isId } from "../kernel/validation/ids.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { bytesOf } from "../redirects/link-bytes.ts";
import { emFor } from "../rpc/call.ts";
import { inIdempotentTransaction } from "../rpc/idempotency/once.ts";
import { jobStarted } from "../rpc/jobs/job.schema.ts";
import { limitBulkCalls } from "../rpc/procedure.ts";
import { sql } from "../db/sql.ts";
import { domainUnverified, verifiedDomains } from "./accept.ts";
import {
  changedMany,
  type ChangedMany,
  choice,
  dryRunInput,
  exampleIds,
  requireSelection,
  selectionFields,
} from "./bulk/bulk.schema.ts";
import type { Transaction } from "./bulk/change.ts";
import {
  type BulkLink,
  enqueueLinks,
  queryOf,
  Selection,
  selectedIds,
  withBulkSlot,
} from "./bulk/selection.ts";
import { type AccountCall, accountProcedure } from "./call.ts";
import { requireStoredOptions, storedDestinationsOf } from "./options.ts";
import { addTags, requireRoomForTags, setTags, tagsOf } from "./tags/tagging.ts";

/** Clicks that are moved in one request; a job moves more, since those of each day are stored together */
const maxClicksAtOnce = 1_000_000;

/** Moves links to another workspace of the caller, with their clicks, history and the names of their tags. */
export const transferLinks = accountProcedure
  .meta({
    scope: "links:write",
    route: "POST /v1/links/transfer",
    tag: "Links",
    summary: "Move links to another workspace",
    description:
      "Needs the role editor in both workspaces. Links keep their ids, slugs, clicks and history, and get the same tags there; alerts on them are deleted. Links whose domain or options the other workspace cannot use are in `results`; all others move together. If a filter matches more than a thousand links, or the links have more than a million clicks, a job moves them.",
    example: { ids: exampleIds, workspace: "marketing", dry_run: true },
    eitherOf: choice,
    successDescription: "How many links were moved",
    acceptedDescription: "The job that moves the links; its id is also that of the change in the history",
    errors: [404, 429],
  })
  .use(limitBulkCalls)
  .input(
    requireSelection(
      fieldsOf({
        ...selectionFields,
        workspace: z.string().describe("Id or slug of the workspace that gets the links"),
        dry_run: dryRunInput,
      }),
    ),
  )
  .output(z.union([changedMany, jobStarted]))
  .mutation(async ({ ctx, input: { ids, filter = {}, workspace, dry_run } }) => {
    const to = await findWorkspace(ctx, workspace, "links:write");
    if (to.id === ctx.account.id) {
      const message = "is the workspace that the links are in; choose another one";
      throw refusal("BAD_REQUEST", "workspace", "invalid", message);
    }
    if (to.deletes_at !== null) {
      const message = "is being deleted; restore it first, or choose another one";
      throw refusal("BAD_REQUEST", "workspace", "invalid", message);
    }
    return withBulkSlot(ctx.deps, ctx.account.id, async () => {
      const selected = ids ?? (await selectedIds(ctx, filter));
      if (selected !== null && !(await haveManyClicks(ctx, selected)))
        return transfer(ctx, { from: ctx.account, to, ids: selected }, { change: changeBy(ctx) }, dry_run);
      const items = ids ? sql`select distinct id from unnest(${ids}::text[]) id` : await queryOf(ctx, filter);
      const input: TransferInput = { from: ctx.account.id, to: to.id, dry_run, by: authorOf(ctx.actor) };
      return inIdempotentTransaction(ctx, (database) =>
        enqueueLinks(ctx, database, { kind: transferKind, input }, items),
      );
    });
  });

async function haveManyClicks({ deps, account }: AccountCall, ids: readonly string[]): Promise<boolean> {
  const { rows } = await deps.pool.query<{ clicks: number }>(
    "select coalesce(sum(click_count), 0)::float8 as clicks from links where account_id = $1 and id = any($2::uuid[])",
    [account.id, ids.filter(isId)],
  );
  return (rows[0]?.clicks ?? 0) > maxClicksAtOnce;
}

export const transferKind = "links.transfer";

/** The data of a transfer's job. */
export interface TransferInput extends Moved {
  dry_run: boolean;
  by: Author;
}

/** One part of a transfer's job, which its starter must be allowed to do now, in both workspaces. */
export async function transferPart(
  ctx: AccountCall,
  ids: readonly string[],
  transaction: Transaction,
  input: TransferInput,
): Promise<ChangedMany> {
  const workspaces = await bothOf(ctx, input);
  return transfer(ctx, { ...workspaces, ids }, transaction, input.dry_run);
}

/** Both workspaces of a transfer, in which the caller must be allowed to change links now. */
export async function bothOf(ctx: AccountCall, ids: Moved): Promise<{ from: Account; to: Account }> {
  const [from, to] = await Promise.all([
    findWorkspace(ctx, ids.from, "links:write"),
    findWorkspace(ctx, ids.to, "links:write"),
  ]);
  return { from, to };
}

/** Links that move from one workspace to another. */
export interface Transfer {
  from: Account;
  to: Account;
  ids: readonly string[];
}

/** The call, in another workspace. The caller's permission there has been checked. */
function inWorkspace<C extends AccountCall>(ctx: C, account: Account): C {
  const actor = ctx.actor.kind === "account" ? { ...ctx.actor, account } : ctx.actor;
  return { ...ctx, account, actor, em: emFor(ctx.deps, account.id) };
}

/** Moves links from one workspace to another, each that can be moved, in one transaction. */
export async function transfer(
  caller: AccountCall,
  { from, to, ids }: Transfer,
  { change, finish }: Transaction,
  isDryRun: boolean,
): Promise<ChangedMany> {
  const ctx = inWorkspace(caller, from);
  const target = inWorkspace(caller, to);
  const { deps } = ctx;
  const domains = await verifiedDomains(target);
  const usable = new Set([ownDomainId, ...domains.values()]);

  async function check(selection: Selection): Promise<void> {
    const urls = selection.links.flatMap((link) => storedDestinationsOf(link).map(([, url]) => url));
    const loops = await findLoops(deps, to.id, urls);
    await selection.check((link) =>
      checkEach(
        () => requireStoredOptions(target, link),
        () => requireDomain(link),
        () => assertNoKnownLoops(loops, storedDestinationsOf(link)),
      ),
    );
  }
  function requireDomain({ domain_id }: BulkLink): void {
    if (domain_id !== ownDomainId) requireFeature(deps.plans, to.plan, "custom_domains");
    if (!usable.has(domain_id)) throw domainUnverified();
  }

  if (isDryRun) {
    const selection = await Selection.of(ctx.em, ids, "unlocked");
    await check(selection);
    return selection.answer();
  }
  let giveBack = () => {};
  let links: readonly BulkLink[] = [];
  let bytes = 0;
  const written = inIdempotentTransaction(ctx, async (database, em) => {
    await waitForPacking(database);
    await lockHistory(database, ids.filter(isId));
    const selection = await Selection.of(em, ids, "locked");
    await check(selection);
    ({ links } = selection);
    if (links.length === 0) return selection.answer();
    const domainIds = links.map(({ domain_id }) => domain_id);
    await holdDomains(database, to.id, domainIds);
    const moving = links.map(({ id }) => id);
    const tags = await tagsOf(database, moving);
    bytes = links.reduce((sum, link) => sum + bytesOf({ ...link, tags: tags.get(link.id) }), 0);
    giveBack = await deps.storage.take(target.actor, { links: links.length, bytes });
    await database.query(`select ${setChangeContext("$1")}`, [contextOf(change)]);
    await moveTags(database, { from, to, ids: moving }, tags);
    await moveHistory(database, { from, to, ids: moving });
    await moveRows(database, { from, to, ids: moving });
    await recordTransfer(database, change, caller.account.id, { from, to, ids: moving });
    const numbers = await numbersOf(database, [from.id, to.id]);
    const numbered = ({ id }: Account) => ({ id, number: numbers.get(id) as number });
    await moveClicks(database, { links: moving, from: numbered(from), to: numbered(to) });
    const answer = { ...selection.answer(), change_id: change.id };
    await finish?.(database, answer);
    return answer;
  });
  const answer = await written.catch((error: unknown) => {
    giveBack();
    throw error;
  });
  deps.storage.release(from.id, links.length, bytes);
  for (const { id } of [from, to]) deps.writes.mark(id);
  for (const link of links) deps.invalidate(link);
  return answer;
}

async function numbersOf(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.query<{ id: string; number: number }>(
    "select id, number from workspaces where id = any($1::uuid[])",
    [ids],
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
}

async function moveTags(
  database: Database,
  { from, to, ids }: Transfer,
  tags: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  await requireRoomForTags(database, to.id, [...new Set([...tags.values()].flat())]);
  // Neither is recorded: the link keeps its tags.
  await database.query("select set_config('terse.new_links', 'on', true)");
  await setTags(
    database,
    from.id,
    ids.map((id) => ({ id, tags: [] })),
  );
  const tagged = ids.map((id) => ({ id, tags: tags.get(id) ?? [] }));
  await addTags(database, to.id, tagged, "new links");
}

/** What refers to the links and their workspace. The owner of a personal one made those whose maker is unknown. What the old one observed on them ends as when links are deleted. */
async function moveRows(database: Database, { from, to, ids }: Transfer): Promise<void> {
  const deleted =
    "select record_webhook_event($2, 'link.deleted', webhook_subject(to_jsonb(l))) from links l";
  await database.query(`${deleted} where id = any($1::uuid[]) order by id`, [ids, from.id]);
  await database.query("delete from alerts where link_id = any($1::uuid[]) and account_id = $2", [
    ids,
    from.id,
  ]);
  await database.query(
    `with moved as (
       update links set account_id = $2,
         made_by = coalesce(made_by, (select id from workspaces where id = links.account_id and personal))
       where id = any($1::uuid[]) returning *)
     select pg_notify('terse_routes', domain_id || '/' || slug),
       record_webhook_event($2, 'link.created', webhook_subject(to_jsonb(moved)))
     from moved`,
    [ids, to.id],
  );
  for (const table of ["link_ranks", "link_health"])
    await database.query(`update ${table} set account_id = $2 where link_id = any($1::uuid[])`, [ids, to.id]);
}

/** Locks the changes of links before the links, as an undo does. */
async function lockHistory(database: Database, ids: readonly string[]): Promise<void> {
  await database.query(
    `select from changes where id in (select change_id from link_changes where link_id = any($1::uuid[]))
     order by id for update`,
    [ids],
  );
}

/** SQL: the id of a change's counterpart in the other workspace, the same for all parts of a job */
const counterpart = (change: string, account: string) => `md5(${change}::text || ${account}::text)::uuid`;

/**
 * Gives the other workspace the changes of links. One that is of other links, too, or that a job still makes, is divided. What
 * says that links moved stays where it happened.
 */
async function moveHistory(database: Database, { from, to, ids }: Transfer): Promise<void> {
  await database.query(
    `with own as (
       select c.*, ${counterpart("c.id", "$3::uuid")} as copy_id from changes c
       where account_id = $2::uuid and action <> 'transfer'
         and id in (select change_id from link_changes where link_id = any($1::uuid[]))
     ), divided as (
       select * from own where exists (select from link_changes l where change_id = own.id and link_id <> all($1::uuid[]))
         or exists (select from changes c where c.id = copy_id)
         or exists (select from jobs where jobs.id = own.id and ended_at is null)
     ), copied as (
       insert into changes (id, account_id, at, action, by_kind, by_name, undoes, undone_by)
       select copy_id, $3::uuid, at, action, by_kind, by_name, undoes, undone_by from divided
       on conflict (id) do update set links = null, bytes = null
     ), moved as (
       update changes set account_id = $3::uuid where id in (select id from own except select id from divided)
     ), left_over as (
       update changes set links = null, bytes = null where id in (select id from divided)
     )
     update link_changes l set change_id = copy_id from divided d
     where l.change_id = d.id and l.link_id = any($1::uuid[])`,
    [ids, from.id, to.id],
  );
  await database.query(
    `delete from changes c where account_id = $2 and links is null and not exists (select from link_changes where change_id = c.id)
       and exists (select from changes where id = ${counterpart("c.id", "$1::uuid")})
       and not exists (select from jobs where jobs.id = c.id and ended_at is null)`,
    [to.id, from.id],
  );
}

/** Records in both histories that links moved. The caller's workspace has the change; the other one a counterpart. */
async function recordTransfer(
  database: Database,
  { id, at, by, undoes }: Change,
  own: string,
  { from, to, ids }: Transfer,
): Promise<void> {
  for (const account of [from.id, to.id]) {
    const isOwn = account === own;
    const { rows } = await database.query<{ id: string }>(
      `insert into changes (id, account_id, at, action, by_kind, by_name, undoes)
       values (${isOwn ? "$1::uuid" : counterpart("$1::uuid", "$2::uuid")}, $2::uuid, $3, 'transfer', $4, $5, $6)
       on conflict (id) do update set links = null, bytes = null returning id`,
      [id, account, at, by.kind, by.name, isOwn ? (undoes ?? null) : null],
    );
    await database.query(
      `insert into link_changes (link_id, change_id, before, after, bytes)
       select id, $2, jsonb_build_object('workspace', $3::text, 'slug', slug),
         jsonb_build_object('workspace', $4::text, 'slug', slug), 300
       from links where id = any($1::uuid[]) order by 1`,
      [ids, rows[0]?.id, from.id, to.id],
    );
  }
}

/** The ids of the workspaces of a transfer. */
export interface Moved {
  from: string;
  to: string;
}

/** The workspaces of a transfer in the history of one of them; undefined if the change is none. */
export async function transferIn(
  database: Database,
  accountId: string,
  changeId: string,
): Promise<Moved | undefined> {
  const { rows } = await database.query<Moved>(
    `select l.before ->> 'workspace' as from, l.after ->> 'workspace' as to
     from changes c join link_changes l on l.change_id = c.id
     where c.id = $1 and c.account_id = $2 and c.action = 'transfer' limit 1`,
    [changeId, accountId],
  );
  return rows[0];
}
