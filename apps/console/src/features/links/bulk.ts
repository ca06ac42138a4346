import type { Member, Workspace } from "../../kit/api/members.ts";
import type { Answers } from "../../kit/api/answers.ts";
import { client, refresh } from "../../kit/api/api.ts";
import { undoChange } from "../../kit/api/undo.ts";
import { say } from "../../kit/toasts.tsx";
import type { Strings } from "../../words/en.ts";
import type { Link } from "../../kit/api/link.ts";
import { reasonOf } from "../../kit/reason.ts";
import type { inputOf } from "./search.ts";
import { patchRows } from "./use-rows.ts";

/** What is chosen by ids is done at once. */
type ChangedAtOnce = Extract<Answers["links"]["bulkUpdate"], { matched: number }>;
type Changes = Partial<Pick<Link, "is_active" | "expires_at">>;

/** Which tags links get, and which they lose */
export interface Retagging {
  add_tags: string[];
  remove_tags: string[];
}

/** Links of one request */
const mostLinks = 1000;

/** The ids in parts that one request takes. */
export const partsOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / mostLinks) }, (_, at) =>
    ids.slice(at * mostLinks, (at + 1) * mostLinks),
  );

/**
 * Changes links and says so, with a way back to what each of them was. The list shows the change before the service has
 * answered; links that it refuses to change are shown as they are, with the first reason.
 */
export async function changeLinks(
  links: readonly Link[],
  changes: Changes,
  done: (count: number) => string,
  { linkList: words }: Strings,
): Promise<void> {
  const names = Object.keys(changes) as (keyof Changes)[];
  const differing = links.filter((link) => names.some((name) => link[name] !== changes[name]));
  const { failed, reason } = await setEach(differing.map((link) => [link.id, changes]));
  const changed = differing.filter(({ id }) => !failed.has(id));
  const before = (link: Link) => Object.fromEntries(names.map((name) => [name, link[name]])) as Changes;
  const back = () => void setEach(changed.map((link) => [link.id, before(link)]));
  if (reason !== null) say(words.notChanged(failed.size, reason));
  if (changed.length > 0 || reason === null) say(done(links.length - failed.size), back);
}

/** Changes the tags of links, and says how many have changed or why some have not. */
export async function retagLinks(
  links: readonly Link[],
  retagging: Retagging,
  { linkList, tags: words }: Strings,
): Promise<void> {
  const ids = links.map(({ id }) => id);
  const { failed, reason } = await updateAll(ids, retagging, nothingChanged());
  if (reason !== null) say(linkList.notChanged(failed.size, reason));
  if (failed.size < ids.length) say(words.changed(ids.length - failed.size));
  await refresh("links", "tags");
}

/** Hands links over to a member and says so, with a way back. */
export async function handOver(
  ids: readonly string[],
  { user_id, name }: Member,
  strings: Strings,
): Promise<void> {
  const { linkList: words } = strings;
  const set = { created_by: user_id };
  const { failed, reason, changes } = await updateAll(ids, { set }, nothingChanged());
  if (reason !== null) say(words.notChanged(failed.size, reason));
  if (failed.size < ids.length)
    say(words.handedOver(ids.length - failed.size, name), () => {
      for (const change of changes) void undoChange(change, strings);
    });
  await refresh("links", "changes");
}

/** Moves links to another workspace and says so, with a way back. */
export async function moveLinks(
  ids: readonly string[],
  { id: workspace, name }: Workspace,
  strings: Strings,
): Promise<void> {
  const { linkList: words } = strings;
  const outcome = nothingChanged();
  let jobs = 0;
  for (const some of partsOf(ids)) {
    await collect(some, outcome, async () => {
      const answer = await client.links.transfer.mutate({ ids: some, workspace });
      if (!("job_id" in answer)) return answer;
      jobs += some.length;
      return null;
    });
  }
  const { failed, reason, changes } = outcome;
  if (reason !== null) say(words.notChanged(failed.size, reason));
  if (failed.size + jobs < ids.length)
    say(words.moved(ids.length - failed.size - jobs, name), () => {
      for (const change of changes) void undoChange(change, strings);
    });
  await refresh("links", "tags", "changes", "jobs");
}

/** What could not be changed, why the first of it, and the changes by which the others can be undone */
interface Outcome {
  failed: Set<string>;
  reason: string | null;
  changes: string[];
}
const nothingChanged = (): Outcome => ({ failed: new Set(), reason: null, changes: [] });

/** Changes each link; those that change alike in one request. */
async function setEach(all: readonly (readonly [id: string, changes: Changes])[]): Promise<Outcome> {
  const changesOf = new Map(all);
  patchRows((link) => ({ ...link, ...changesOf.get(link.id) }));
  const outcome = nothingChanged();
  for (const group of Map.groupBy(all, ([, changes]) => JSON.stringify(changes)).values()) {
    const [, set = {}] = group[0] ?? [];
    await updateAll(
      group.map(([id]) => id),
      { set },
      outcome,
    );
  }
  await refresh("links");
  return outcome;
}

async function updateAll(
  ids: readonly string[],
  update: { set: Changes | { created_by: string } } | Retagging,
  outcome: Outcome,
): Promise<Outcome> {
  for (const some of partsOf(ids))
    await collect(
      some,
      outcome,
      async () => (await client.links.bulkUpdate.mutate({ ids: some, ...update })) as ChangedAtOnce,
    );
  return outcome;
}

/** Adds the outcome for some links; null if a job changes them. */
async function collect(
  ids: readonly string[],
  outcome: Outcome,
  change: () => Promise<ChangedAtOnce | null>,
): Promise<void> {
  try {
    const answer = await change();
    if (answer === null) return;
    const { results, change_id } = answer;
    if (change_id !== null) outcome.changes.push(change_id);
    for (const { id } of results) outcome.failed.add(id);
    outcome.reason ??= (results[0] && reasonOf(results[0])) ?? null;
  } catch (error) {
    for (const id of ids) outcome.failed.add(id);
    outcome.reason ??= (error as Error).message;
  }
}

/** What can be done with all links that pass a filter; null deletes them. */
export type ChangeOfAll =
  | { set: { is_active: 0 | 1 } }
  | { set: { expires_at: string | null } }
  | { set: { created_by: string } }
  | Retagging
  | { workspace: string }
  | null;

/** Changes all links that pass a filter now, with a way back. Many are changed by a job, which the list shows. */
export async function changeAll(
  input: NonNullable<ReturnType<typeof inputOf>>,
  change: ChangeOfAll,
  strings: Strings,
): Promise<void> {
  const { jobs: words } = strings;
  const { sort: _, ...filter } = input as typeof input & { sort?: unknown };
  try {
    const answer = !change
      ? await client.links.bulkDelete.mutate({ filter })
      : await ("workspace" in change ? client.links.transfer : client.links.bulkUpdate).mutate({
          filter,
          ...change,
        } as never);
    if ("job_id" in answer) await refresh("jobs");
    else {
      const { changed, results, change_id } = answer;
      const kind = !change ? "links.delete" : "workspace" in change ? "links.transfer" : "links.update";
      const ended = words.ended[kind](changed, results.length);
      say(ended, change_id === null ? undefined : () => void undoChange(change_id, strings));
    }
  } catch (error) {
    say(words.refused((error as Error).message));
  }
  await refresh("links", "tags");
}
