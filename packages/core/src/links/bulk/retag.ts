import type { Database } from "../../db/statements.ts";
import { AppError } from "../../kernel/errors.ts";
import { addTags, demandRoomForTags, removeTags, setTags, tagsOf } from "../tags/tagging.ts";
import { keyOfTag, maxTagsOfLink, tagsInput } from "../tags/tag.input.ts";

/** What a change of many links does to their tags: first it replaces them, then adds some, then removes some. */
export interface Retagging {
  set?: readonly string[] | null | undefined;
  add_tags?: readonly string[] | undefined;
  remove_tags?: readonly string[] | undefined;
}

export const retagFields = {
  add_tags: tagsInput.optional().describe("Tags that the links get besides their own; new ones are made"),
  remove_tags: tagsInput.optional().describe("Tags that the links do not have any more"),
};

export const isRetagging = ({ set, add_tags, remove_tags }: Retagging): boolean =>
  set !== undefined || add_tags !== undefined || remove_tags !== undefined;

/** How many tags links have now, and how many they would have. */
export interface TagCount {
  before: number;
  after: number;
}

/** Counts the tags of links before and after a change, by the links' ids. */
export async function countTags(
  database: Database,
  ids: readonly string[],
  { set, add_tags = [], remove_tags = [] }: Retagging,
): Promise<ReadonlyMap<string, TagCount>> {
  const current = await tagsOf(database, ids);
  const removed = new Set(remove_tags.map(keyOfTag));
  return new Map(
    ids.map((id) => {
      const own = current.get(id) ?? [];
      const all = new Set([...(set === undefined ? own : (set ?? [])), ...add_tags].map(keyOfTag));
      return [id, { before: own.length, after: [...all].filter((key) => !removed.has(key)).length }];
    }),
  );
}

/** Throws 400 if a link would have too many tags. */
export function refuseTooManyTags(count: TagCount | undefined): void {
  if (!count || count.after <= maxTagsOfLink || count.after <= count.before) return;
  throw new AppError(
    "BAD_REQUEST",
    `add_tags: a link can have ${maxTagsOfLink} tags; this one would have ${count.after}`,
  );
}

/** Changes the tags of links, whose rows are locked. Tags are added first, which locks them, see `tagging`. */
export async function retag(
  database: Database,
  accountId: string,
  ids: readonly string[],
  { set, add_tags = [], remove_tags = [] }: Retagging,
): Promise<void> {
  const given = [...(set ?? []), ...add_tags];
  await demandRoomForTags(database, accountId, given);
  const links = ids.map((id) => ({ id, tags: given }));
  await (set === undefined ? addTags : setTags)(database, accountId, links);
  if (remove_tags.length > 0) await removeTags(database, accountId, ids, remove_tags);
}
