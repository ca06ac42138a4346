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
} from "./entry.ts";
import { changeSchema } from "./history.schema.ts";

/** The list ends here, so that its last page costs little. */
const maxListed = 10_000;

/** The times of an account's changes, by id; each part is read from an index, newest first, no further than needed. */
const parts = [
  `select id, at, null::text as created_by, null::text as slug, false as is_creation from changes where account_id = $1
   order by at desc, id desc`,
  `select id, created_at, created_by, slug, true from links where account_id = $1 order by created_at desc, id desc`,
  `select id, created_at, created_by, slug, true from deleted_links where account_id = $1 and created_at is not null
   order by created_at desc, id desc`,
];

const counts = ["changes", "links", "deleted_links"].map((table) => {
  const condition = table === "deleted_links" ? " and created_at is not null" : "";
  return `(select count(*) from (select from ${table} where account_id = $1${condition} limit ${maxListed}) t)`;
});

/** Lists the changes of all links of the account, newest first. A change of many links is one. */
export const listChanges = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/changes",
      tags: ["History"],
      summary: "List the changes of all links",
      description: `The last ${maxListed.toLocaleString("en")}, each creation among them. A change of many links is one; each of them has it in its own history.`,
      successDescription: "One page of the account's changes, newest first",
    },
  })
  .input(pageInput("Changes", 20).prefault({}))
  .output(pageOf(changeSchema))
  .query(async ({ ctx, input: { page, limit } }) => {
    const { pool } = ctx.deps;
    const { account } = ctx;
    const [from, to] = [(page - 1) * limit, page * limit].map((row) => Math.min(row, maxListed)) as [
      number,
      number,
    ];
    return withListSlot(pool, account.id, async () => {
      const [{ rows }, { rows: counted }] = await Promise.all([
        pool.query<CreationRow & { change: Omit<ChangeRow, "undone_by"> | null }>({
          name: "list-changes",
          text: `select t.id, t.at, t.created_by, t.slug, case when t.is_creation then ${undoneCreation("t.id")} else c.undone_by end as undone_by,
                   case when not t.is_creation then jsonb_build_object('action', c.action, 'by_kind', c.by_kind,
                     'by_name', c.by_name, 'undoes', c.undoes, 'link_id', l.link_id, 'slug', ${slugOf("l.link_id")}, 'before', l.before, 'after', l.after,
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
        change ? toChange({ ...row, ...change }) : toCreation(row, first.get(row.id), account.name),
      );
      return { data, meta: pageMeta(page, limit, counted[0]?.total ?? 0) };
    });
  });
