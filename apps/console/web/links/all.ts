import { api, client, queryClient } from "../api.ts";
import { say } from "../frame/toasts.tsx";
import type { Strings } from "../strings/en.ts";
import type { inputOf } from "./search.ts";

/** What can be done with all links that pass a filter; null deletes them. */
export type ChangeOfAll = { is_active: 0 | 1 } | { expires_at: string | null } | null;

/** Changes all links that pass a filter now. Many are changed by a job, which the list shows. */
export async function changeAll(
  input: NonNullable<ReturnType<typeof inputOf>>,
  set: ChangeOfAll,
  { jobs: words }: Strings,
): Promise<void> {
  const { sort: _, ...filter } = input as typeof input & { sort?: unknown };
  try {
    const answer = set
      ? await client.links.bulkUpdate.mutate({ filter, set })
      : await client.links.bulkDelete.mutate({ filter });
    if ("job_id" in answer) await queryClient.invalidateQueries(api.jobs.pathFilter());
    else say(words.ended[set ? "links.update" : "links.delete"](answer.changed, answer.results.length));
  } catch (error) {
    say(words.refused((error as Error).message));
  }
  await queryClient.invalidateQueries(api.links.pathFilter());
}
