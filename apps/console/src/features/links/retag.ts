import { api, client, queryClient } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { type ChangedAtOnce, mostLinks } from "./bulk.ts";
import type { Link } from "../../kit/api/link.ts";
import type { Strings } from "../../words/en.ts";
import type { Retagging } from "./TagDialog.tsx";
import { reasonOf } from "../../kit/reason.ts";

/** Changes the tags of links, and says how many have changed or why some have not. */
export async function retagLinks(
  links: readonly Link[],
  retagging: Retagging,
  { linkList, tags: words }: Strings,
): Promise<void> {
  const ids = links.map(({ id }) => id);
  let failed = 0;
  let reason: string | undefined;
  for (let at = 0; at < ids.length; at += mostLinks) {
    const some = ids.slice(at, at + mostLinks);
    try {
      const answer = await client.links.bulkUpdate.mutate({ ids: some, ...retagging });
      const { results } = answer as ChangedAtOnce;
      failed += results.length;
      reason ??= results[0] && reasonOf(results[0]);
    } catch (error) {
      failed += some.length;
      reason ??= (error as Error).message;
    }
  }
  if (reason !== undefined) say(linkList.notChanged(failed, reason));
  if (failed < ids.length) say(words.changed(ids.length - failed));
  await Promise.all([
    queryClient.invalidateQueries(api.links.pathFilter()),
    queryClient.invalidateQueries(api.tags.pathFilter()),
  ]);
}
