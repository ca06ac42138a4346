import { accountProcedure } from "../call.ts";
import { pageInput, pageMeta, pageOf, withListSlot } from "../../kernel/validation/pagination.ts";
import {
  type ChangeRow,
  type CreationRow,
  linksAt,
  slugOf,
  toChange,
  toCreation,
  undoneCreation,
  withMakers,
} from "./change.view.ts";
import { creatorSql } from "../../history/change.ts";
import { changeSchema } from "./history.schema.ts";
import { notFound } from "../../kernel/errors.ts";
import { isId } from "../../kernel/validation/ids.ts";
import * as z from "zod";
import { router } from "../../rpc/procedure.ts";
import { undoChange } from "./undo.ts";

/** The list ends here, so that its last page costs little. */
const maxListed = 10_000;

/** The times of an account's changes, by id; each part is read from an index, newest first, no further than needed. */
const parts = [
  `select id, at, null::text as created_by, null::text as slug, false as is_creation from changes where account_id = $1
   order by at desc, id desc`,
  `select id, created_at, created_by, slug, true from links where account_id = $1 order by created_at desc, id desc`,
  `select id, created_at, created_by, slug, true from deleted_links where account_id = $1
   order by created_at desc, id desc`,
];

const counts = ["changes", "links", "deleted_links"].map(
  (table) => `(select count(*) from (select from ${table} where account_id = $1 limit ${maxListed}) t)`,
);

/** Lists the changes of all links of the account, newest first. A change of many links is one. */
const listChanges = accountProcedure
  .meta({
    scope: "links:read",
    route: "GET /v1/changes",
    tag: "History",
    summary: "List the changes of all links",
    description: `The last ${maxListed.toLocaleString("en")}, creations included. A change of many links is one entry; it is also in the history of each link.`,
    successDescription: "One page of the account's changes, newest first",
  })
  .input(pageInput("Changes", 20).prefault({}))
  .output(pageOf(changeSchema))
  .query(async ({ ctx, input: { page, limit } }) => {
    const { pool } = ctx.deps;
    const { account } = ctx;
    const from = Math.min((page - 1) * limit, maxListed);
    const to = Math.min(page * limit, maxListed);
    return withListSlot(pool, account.id, async () => {
      const [{ rows }, { rows: counted }] = await Promise.all([
        pool.query<CreationRow & { change: Omit<ChangeRow, "undone_by"> | null }>({
          name: "list-changes",
          text: `select t.id, t.at, t.created_by, ${creatorSql("t.created_by", "$1")} as creator, t.slug, case when t.is_creation then ${undoneCreation("t.id")} else c.undone_by end as undone_by,
                   case when not t.is_creation then jsonb_build_object('action', c.action, 'by_kind', c.by_kind,
                     'by_name', c.by_name, 'undoes', c.undoes, 'link_id', l.link_id, 'slug', ${slugOf("l.link_id", "c.account_id")}, 'before', l.before, 'after', l.after,
                     'links', coalesce(c.links, (select count(*) from link_changes where change_id = t.id))) end as change
                 from (
                   ${parts.map((sql) => `(${sql} limit $3)`).join(" union all ")}
                   order by at desc, id desc limit $3 - $2 offset $2
                 ) t
                 left join changes c on c.id = t.id and not t.is_creation
                 left join lateral (
                   select link_id, before, after from link_changes where change_id = c.id order by link_id limit 1
                 ) l on true
                 order by t.at desc, t.id desc`,
          values: [account.id, from, to],
        }),
        pool.query<{ total: number }>({
          name: "count-changes",
          text: `select least(${counts.join(" + ")}, ${maxListed})::int as total`,
          values: [account.id],
        }),
      ]);
      const created = rows.filter(({ change }) => change === null).map(({ id }) => id);
      const first = await linksAt(pool, created);
      const data = rows.map(({ change, ...row }) =>
        change ? toChange({ ...row, ...change }) : toCreation(row, first.get(row.id)),
      );
      return {
        data: await withMakers(ctx.em, data),
        meta: pageMeta(page, limit, counted[0]?.total ?? 0),
      };
    });
  });

/** Lists the changes of a link, newest first, also of one that was deleted. Its creation is the last one. */
export const linkHistory = accountProcedure
  .meta({
    scope: "links:read",
    route: "GET /v1/links/{id}/history",
    tag: "History",
    summary: "List the changes of a link",
    description:
      "Works for deleted links, too. Changes are kept for 90 days unless the operator set HISTORY_DAYS.",
    successDescription: "One page of the link's changes, newest first",
    errors: [404],
  })
  .input(pageInput("Changes", 20, { id: z.string() }))
  .output(pageOf(changeSchema))
  .query(async ({ ctx, input: { id, page, limit } }) => {
    const { pool } = ctx.deps;
    const { account } = ctx;
    if (!isId(id)) throw notFound("Link");
    return withListSlot(pool, account.id, async () => {
      const [{ rows: counted }, { rows: creations }, { rows }] = await Promise.all([
        pool.query<{ total: number }>({
          name: "count-link-changes",
          text: `select count(*)::int as total from link_changes l join changes c on c.id = l.change_id
                 where l.link_id = $1 and c.account_id = $2`,
          values: [id, account.id],
        }),
        pool.query<CreationRow>({
          name: "link-creation",
          text: `select id, created_at as at, created_by, ${creatorSql("created_by", "account_id")} as creator, slug, ${undoneCreation("$1")} as undone_by from (
                   select id, account_id, created_at, created_by, slug from links where id = $1
                   union all
                   select id, account_id, created_at, created_by, slug from deleted_links where id = $1
                 ) l where account_id = $2 limit 1`,
          values: [id, account.id],
        }),
        pool.query<ChangeRow>({
          name: "list-link-changes",
          text: `select c.id, c.at, c.action, c.by_kind, c.by_name, l.link_id, ${slugOf("$1", "$2")} as slug, 1 as links, c.undoes, c.undone_by,
                   l.before, l.after
                 from link_changes l join changes c on c.id = l.change_id
                 where l.link_id = $1 and c.account_id = $2
                 order by l.place desc limit $3 offset $4`,
          values: [id, account.id, limit, (page - 1) * limit],
        }),
      ]);
      const [creation] = creations;
      const recorded = counted[0]?.total ?? 0;
      const total = recorded + (creation ? 1 : 0);
      if (total === 0) throw notFound("Link");
      const data = rows.map(toChange);
      const isLastPage = page * limit >= total && (page - 1) * limit < total;
      if (creation && isLastPage) {
        const first = (await linksAt(pool, [id])).get(id);
        data.push(toCreation(creation, first));
      }
      return { data: await withMakers(ctx.em, data), meta: pageMeta(page, limit, total) };
    });
  });

export const changesRouter = router({
  list: listChanges,
  undo: undoChange,
});
