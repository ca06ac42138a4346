import { type ActivityRow, toLogged } from "../../accounts/activity/entry.ts";
import { shortened } from "../../accounts/activity/record.ts";
import {
  actions,
  type LoggedAction,
  type LoggedActivity,
  type loggedActorKinds,
} from "../../accounts/activity/activity.schema.ts";
import { fixed, joined, type Sql, sql } from "../../db/sql.ts";
import type { Em } from "../../db/em.ts";
import type { Database } from "../../db/statements.ts";
import type { Author } from "../../kernel/context.ts";
import { creatorSql } from "../../history/change.ts";
import { isoTime } from "../../kernel/time.ts";
import { isId } from "../../kernel/validation/ids.ts";
import {
  type ChangeRow,
  type CreationRow,
  linksAt,
  toChange,
  toCreation,
  withMakers,
} from "../../links/history/change.view.ts";
import type { LinkChange } from "../../links/history/history.schema.ts";

/**
 * The log of a workspace: what was recorded of it, and what the history has of its links. Links are changed by the thousand a
 * second, and triggers keep each change with its author and values already, so the log reads it there instead of storing it
 * twice. What operators did to links is recorded as well, and read from there.
 */

export interface LogFilter {
  /** Id of a person, session or key, or a kind of actor */
  actor?: string | undefined;
  action?: readonly LoggedAction[] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

const linkActions: Readonly<Record<LinkChange["action"], LoggedAction>> = {
  create: "link_created",
  update: "link_changed",
  delete: "link_deleted",
  restore: "link_restored",
  disable: "link_disabled",
  enable: "link_enabled",
  transfer: "link_moved",
};

/** Queries of the same columns, without order: what is recorded, changes of links, creations of links, also of deleted ones. */
function partsOf(accountId: string, { actor, action, from, to }: LogFilter): Sql[] {
  const wanted = action && new Set(action);
  const within = (at: Sql) =>
    sql`${from ? sql`and ${at} >= ${from}` : sql``} ${to ? sql`and ${at} < ${to}` : sql``}`;
  const byActor = (known: Sql, kinds: Partial<Record<string, Sql>>, nobody = sql`false`) => {
    if (actor === undefined) return sql``;
    return isId(actor) ? sql`and ${known}` : sql`and ${kinds[actor] ?? nobody}`;
  };
  const parts: Sql[] = [];
  /** Without a person's id, it was the one whose personal workspace it is. */
  const own = sql`(account_id = ${actor} and exists (select from workspaces where id = ${actor} and personal))`;

  const recorded = action?.filter((name) => Object.hasOwn(actions, name));
  if (recorded?.length !== 0) {
    const kind = actor === "user" ? "session" : actor;
    parts.push(sql`select 'recorded' as part, id, at from activity where account_id = ${accountId} ${within(sql`at`)}
      ${recorded ? sql`and action = any (${recorded})` : sql``}
      ${byActor(sql`(user_id = ${actor} or by_id = ${actor} or by_kind = 'session' and user_id is null and ${own})`, {}, sql`by_kind = ${kind}`)}`);
  }
  const changes = (["update", "delete", "restore", "transfer"] as const).filter(
    (name) => wanted?.has(linkActions[name]) ?? true,
  );
  if (changes.length > 0) {
    parts.push(sql`select 'change' as part, id, at from changes where account_id = ${accountId} ${within(sql`at`)}
      and action = any (${changes}) and by_kind <> 'admin'
      ${byActor(
        sql`(user_id = ${actor} or by_id = ${actor} or by_kind = 'session' and user_id is null and ${own})`,
        {
          user: sql`by_kind = 'session'`,
          key: sql`by_kind = 'key'`,
          operator: sql`by_kind = 'import'`,
          service: sql`by_kind = 'system'`,
        },
      )}`);
  }
  if (wanted?.has("link_created") ?? true) {
    for (const table of [sql`links`, sql`deleted_links`]) {
      parts.push(sql`select 'creation' as part, id, created_at as at from ${table} where account_id = ${accountId} ${within(sql`created_at`)}
        ${byActor(
          sql`(created_by = 'session' and ${own} or created_by = ${`session:${actor}`}
            or created_by = (select 'key:' || name from api_keys where id = ${actor} and account_id = ${accountId}))`,
          {
            user: sql`created_by like 'session%'`,
            key: sql`created_by like 'key%'`,
            operator: sql`created_by in ('admin', 'import')`,
            service: sql`coalesce(created_by, 'system') = 'system'`,
          },
        )}`);
    }
  }
  return parts;
}

const newestFirst = sql`order by at desc, id desc`;
const union = (parts: readonly Sql[]) => sql`select * from (${joined(parts, " union all ")}) u`;

/** SQL: the rows from one place to another, newest first; each part is read from its index, no further than needed. */
export const pageSql = (accountId: string, filter: LogFilter, offset: number, limit: number): Sql => {
  const parts = partsOf(accountId, filter).map(
    (part) => sql`(${part} ${newestFirst} limit ${offset + limit})`,
  );
  return rowsSql(sql`${union(parts)} ${newestFirst} limit ${limit} offset ${offset}`);
};

/** SQL: all rows, newest first. */
export const logSql = (accountId: string, filter: LogFilter): Sql =>
  rowsSql(sql`${union(partsOf(accountId, filter))} ${newestFirst}`);

/** SQL: how many rows there are, at most `most`. */
export const countSql = (accountId: string, filter: LogFilter, most: number): Sql => {
  const counts = partsOf(accountId, filter).map(
    (part) => sql`(select count(*) from (${part} limit ${most}) t)`,
  );
  return sql`select least(${joined(counts, " + ")}, ${most})::int as total`;
};

const slug = sql`coalesce((select slug from links where id = l.link_id and account_id = r.account_id),
  (select slug from deleted_links where id = l.link_id and account_id = r.account_id), l.before ->> 'slug')`;

/** Who acted by a session, if it was not recorded: in a personal workspace, its person. */
const person = sql`(select w.id from workspaces w where w.id = r.account_id and w.personal)`;
const bySession = sql`coalesce(r.user_id, case when r.by_kind = 'session' then ${person} end)`;
const created = sql`jsonb_build_object('slug', slug, 'created_by', created_by,
  'creator', ${fixed(creatorSql("created_by", "account_id"))})`;

const rowsSql = (places: Sql): Sql => sql`select part, id, at, case part
    when 'recorded' then (select to_jsonb(r) || jsonb_build_object('user_id', ${bySession}) from activity r where r.id = t.id)
    when 'change' then (
      select to_jsonb(r) || jsonb_build_object('user_id', ${bySession}, 'link_id', l.link_id, 'slug', ${slug}, 'before', l.before, 'after', l.after,
        'links', coalesce(r.links, (select count(*) from link_changes where change_id = r.id)))
      from changes r left join lateral (
        select link_id, before, after from link_changes where change_id = r.id order by link_id limit 1
      ) l on true where r.id = t.id)
    else coalesce((select ${created} from links r where r.id = t.id),
      (select ${created} from deleted_links r where r.id = t.id))
  end as "row" from (${places}) t ${newestFirst}`;

type Origin = { by_id: string | null; user_id: string | null; network: string | null };

export type LogRow = { id: string; at: string } & (
  | { part: "recorded"; row: ActivityRow | null }
  | { part: "change"; row: (ChangeRow & Origin) | null }
  | { part: "creation"; row: Pick<CreationRow, "slug" | "created_by" | "creator"> | null }
);

/** Entries as clients see them. A row that was deleted meanwhile has none. */
export async function toEntries(
  em: Em,
  database: Database,
  rows: readonly LogRow[],
): Promise<LoggedActivity[]> {
  const createdIds = rows.filter(({ part }) => part === "creation").map(({ id }) => id);
  const first = await linksAt(database, createdIds);
  const changed = rows.flatMap(({ part, row, at }) =>
    part === "change" && row !== null ? [toChange({ ...row, at })] : [],
  );
  const changes = new Map((await withMakers(em, changed)).map((change) => [change.id, change]));
  return rows.flatMap((each) => {
    if (each.row === null) return [];
    if (each.part === "recorded") return [toLogged(each.row)];
    if (each.part === "change") return [ofLink(changes.get(each.id) as LinkChange, each.row)];
    const creation = { ...each.row, id: each.id, at: each.at, undone_by: null };
    const user_id = each.row.creator?.id ?? null;
    const change = toCreation(creation, first.get(each.id));
    return [ofLink(change, { by_id: null, user_id, network: null })];
  });
}

const kindOf: Readonly<Record<Author["kind"], (typeof loggedActorKinds)[number]>> = {
  session: "user",
  key: "key",
  admin: "operator",
  import: "operator",
  system: "service",
};

function ofLink(change: LinkChange, { by_id, user_id, network }: Origin): LoggedActivity {
  const { id, at, by, action, links, link_id, slug: name, fields } = change;
  const kind = kindOf[by.kind];
  return {
    id,
    at: isoTime(at),
    actor: {
      kind,
      id: kind === "user" ? user_id : by_id,
      name: by.name,
      user_id,
      session_id: kind === "user" ? by_id : null,
    },
    action: linkActions[action],
    target: { kind: "link", id: link_id, name },
    address: network,
    details: { about: null, client: null, count: links, fields: shortened(fields) },
    previous_hash: null,
  };
}
