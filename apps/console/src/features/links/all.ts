import { api, client, queryClient } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { undoChange } from "../../kit/api/undo.ts";
import type { Strings } from "../../words/en.ts";
import type { Retagging } from "./TagDialog.tsx";
import type { inputOf } from "./search.ts";

/** What can be done with all links that pass a filter; null deletes them. */
export type ChangeOfAll =
  | { set: { is_active: 0 | 1 } }
  | { set: { expires_at: string | null } }
  | Retagging
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
    const answer = change
      ? await client.links.bulkUpdate.mutate({ filter, ...change })
      : await client.links.bulkDelete.mutate({ filter });
    if ("job_id" in answer) await queryClient.invalidateQueries(api.jobs.pathFilter());
    else {
      const { changed, results, change_id } = answer;
      const ended = words.ended[change ? "links.update" : "links.delete"](changed, results.length);
      say(ended, change_id === null ? undefined : () => void undoChange(change_id, strings));
    }
  } catch (error) {
    say(words.refused((error as Error).message));
  }
  await Promise.all([
    queryClient.invalidateQueries(api.links.pathFilter()),
    queryClient.invalidateQueries(api.tags.pathFilter()),
  ]);
}
