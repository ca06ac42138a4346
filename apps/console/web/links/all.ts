import { api, client, queryClient } from "../api.ts";
import { say } from "../frame/toasts.tsx";
import type { Strings } from "../strings/en.ts";
import type { Retagging } from "../tags/TagDialog.tsx";
import type { inputOf } from "./search.ts";

/** What can be done with all links that pass a filter; null deletes them. */
export type ChangeOfAll =
  | { set: { is_active: 0 | 1 } }
  | { set: { expires_at: string | null } }
  | Retagging
  | null;

/** Changes all links that pass a filter now. Many are changed by a job, which the list shows. */
export async function changeAll(
  input: NonNullable<ReturnType<typeof inputOf>>,
  change: ChangeOfAll,
  { jobs: words }: Strings,
): Promise<void> {
  const { sort: _, ...filter } = input as typeof input & { sort?: unknown };
  try {
    const answer = change
      ? await client.links.bulkUpdate.mutate({ filter, ...change })
      : await client.links.bulkDelete.mutate({ filter });
    if ("job_id" in answer) await queryClient.invalidateQueries(api.jobs.pathFilter());
    else say(words.ended[change ? "links.update" : "links.delete"](answer.changed, answer.results.length));
  } catch (error) {
    say(words.refused((error as Error).message));
  }
  await Promise.all([
    queryClient.invalidateQueries(api.links.pathFilter()),
    queryClient.invalidateQueries(api.tags.pathFilter()),
  ]);
}
