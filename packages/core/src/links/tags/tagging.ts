import type { Database } from "../../db/statements.ts";
import { refusal } from "../../kernel/errors.ts";
import { maxTagsOfAccount, sortedTags } from "./tag.schema.ts";
import { keyOfTag } from "../../kernel/text.ts";

/** Whether the history records the tags that links get; new links' first tags are not recorded. */
type Recording = "recorded" | "new links";

/**
 * SQL of common table expressions that give links their tags, and make those that are new. `wanted` is a select of
 * `link_id`, `name` and `key`; it must be empty for links that are not inserted. The result is in `tagged`.
 *
 * A tag that exists is locked against deletion until the end of the transaction. One that another transaction deletes
 * first is not in `known` and is made again; one that another makes at the same time is waited for, in the order of
 * the keys. The update that then finds it changes no key, because it and transactions with the tag in `known` would
 * wait for each other.
 */
export const tagging = (wanted: string, accountId: string, recording: Recording): string => `
  ${withoutRenaming(accountId)},
  recording as materialized (
    select set_config('terse.new_links', '${recording === "new links" ? "on" : ""}', true) from renaming
  ),
  wanted as materialized (select w.* from recording, (${wanted}) w),
  known as materialized (
    select id, key from tags where account_id = ${accountId} and key in (select key from wanted)
    order by id for key share
  ),
  made as (
    insert into tags (account_id, name, key)
    select ${accountId}, min(name), key from wanted where key not in (select key from known)
    group by key order by key
    on conflict (account_id, key) do update set name = tags.name
    returning id, key
  ),
  tagged as (
    insert into link_tags (tag_id, link_id)
    select distinct id, link_id from wanted join (select * from known union all select * from made) t using (key)
    on conflict do nothing
  )`;

/** SQL: the advisory lock under which tags of an account are given and taken (shared), or renamed and deleted (exclusively). */
export const renamingLock = (accountId: string): string => `hashtextextended('tags of ' || ${accountId}, 0)`;

const withoutRenaming = (accountId: string) =>
  `renaming as materialized (select pg_advisory_xact_lock_shared(${renamingLock(accountId)}))`;

/** SQL: true unless the account would have too many tags with these keys, an array. */
export const roomForTags = (keys: string, accountId: string): string => `(
    (select count(*) from unnest(${keys}) key where key not in (select key from tags where account_id = ${accountId})) = 0
    or (select count(*) from (select key from tags where account_id = ${accountId} union select unnest(${keys})) t)
      <= ${maxTagsOfAccount})`;

/** Throws 403 if the account would have too many tags with these. */
export async function requireRoomForTags(
  database: Database,
  accountId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const { rows } = await database.query<{ fits: boolean }>({
    name: "room-for-tags",
    text: `select ${roomForTags("$2::text[]", "$1::uuid")} as fits`,
    values: [accountId, [...new Set(names.map(keyOfTag))]],
  });
  if (rows[0]?.fits !== true) throw tooManyTags();
}

const tooManyTags = () =>
  refusal(
    "FORBIDDEN",
    "tags",
    "limit_reached",
    `an account can have ${maxTagsOfAccount.toLocaleString("en")} tags; delete or merge some`,
    { max: maxTagsOfAccount, resource: "tags" },
  );

/** A link and the names of tags that it gets. */
interface Tagged {
  id: string;
  tags: readonly string[];
}

/** Gives links of the account tags, besides those that they have. */
export async function addTags(
  database: Database,
  accountId: string,
  links: readonly Tagged[],
  recording: Recording = "recorded",
): Promise<void> {
  const values = columnsOf(links);
  if (values[0].length === 0) return;
  const wanted = "select * from unnest($2::uuid[], $3::text[], $4::text[]) t (link_id, name, key)";
  await database.query({
    name: recording === "recorded" ? "add-tags" : "tag-new-links",
    text: `with ${tagging(wanted, "$1::uuid", recording)} select`,
    values: [accountId, ...values],
  });
}

/** Columns for `wanted` of `tagging`: ids of links, names and keys. Of several spellings the first one is used. */
function columnsOf(links: readonly Tagged[]): readonly [string[], string[], string[]] {
  const columns = [[], [], []] as [string[], string[], string[]];
  const spelling = new Map<string, string>();
  for (const { id, tags } of links) {
    for (const name of tags) {
      const key = keyOfTag(name);
      if (!spelling.has(key)) spelling.set(key, name);
      columns[0].push(id);
      columns[1].push(spelling.get(key) ?? name);
      columns[2].push(key);
    }
  }
  return columns;
}

/** Takes tags away from links of the account. They are locked first, see `deleteTagged`. */
export async function removeTags(
  database: Database,
  accountId: string,
  ids: readonly string[],
  names: readonly string[],
): Promise<void> {
  await database.query({
    name: "remove-tags",
    text: deleteTagged("locked.key = any($3::text[])"),
    values: [accountId, ids, names.map(keyOfTag)],
  });
}

/**
 * SQL that takes tags of the account ($1) away from links ($2): those of which a condition holds for `locked.key` and
 * `t.link_id`. Tags are locked before their rows of `link_tags`, as when one is deleted or merged, so that none of these waits
 * for the other.
 */
const deleteTagged = (condition: string): string => `
  with ${withoutRenaming("$1::uuid")},
  locked as materialized (
    select tags.id, tags.key from renaming, tags where account_id = $1
    and id in (select tag_id from link_tags where link_id = any($2::uuid[]))
    order by id for key share of tags
  )
  delete from link_tags t using locked where t.link_id = any($2::uuid[]) and t.tag_id = locked.id and ${condition}`;

/** Replaces the tags of links of the account. */
export async function setTags(
  database: Database,
  accountId: string,
  links: readonly Tagged[],
): Promise<void> {
  await addTags(database, accountId, links);
  const [ids, , keys] = columnsOf(links);
  await database.query({
    name: "remove-other-tags",
    text: deleteTagged("(t.link_id, locked.key) not in (select * from unnest($3::uuid[], $4::text[]))"),
    values: [accountId, links.map(({ id }) => id), ids, keys],
  });
}

/** The tags of links, in the order in which they are shown, by the links' ids. Links without tags are missing. */
export async function tagsOf(
  database: Database,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (linkIds.length === 0) return new Map();
  const { rows } = await database.query<{ link_id: string; names: string[] }>({
    name: "tags-of-links",
    text: `select link_id, array_agg(name) as names from link_tags join tags on id = tag_id
           where link_id = any($1::uuid[]) group by 1`,
    values: [linkIds],
  });
  return new Map(rows.map(({ link_id, names }) => [link_id, sortedTags(names)]));
}

/** The ids of an account's tags, in the order of their names; null for one that the account does not have. */
export async function idsOfTags(
  database: Database,
  accountId: string,
  names: readonly string[],
): Promise<(string | null)[]> {
  if (names.length === 0) return [];
  const { rows } = await database.query<{ id: string; key: string }>({
    name: "ids-of-tags",
    text: "select id, key from tags where account_id = $1 and key = any($2::text[])",
    values: [accountId, names.map(keyOfTag)],
  });
  const ids = new Map(rows.map(({ id, key }) => [key, id]));
  return names.map((name) => ids.get(keyOfTag(name)) ?? null);
}
