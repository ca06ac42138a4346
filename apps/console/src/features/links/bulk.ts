import type { AppRouter } from "@terse/core";
import type { inferRouterOutputs } from "@trpc/server";
import { api, client, queryClient } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import type { Strings } from "../../words/en.ts";
import type { Link } from "../../kit/api/link.ts";
import { patchRows } from "./use-rows.ts";
import { reasonOf } from "../../kit/reason.ts";

/** What is chosen by ids is done at once. */
export type ChangedAtOnce = Extract<
  inferRouterOutputs<AppRouter>["links"]["bulkUpdate"],
  { matched: number }
>;
type Changes = Partial<Pick<Link, "is_active" | "expires_at">>;

/** Links of one request */
export const mostLinks = 1000;

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
  const { failed, reason } = await apply(differing.map((link) => [link.id, changes]));
  const changed = differing.filter(({ id }) => !failed.has(id));
  const back = () =>
    void apply(
      changed.map((link) => [
        link.id,
        Object.fromEntries(names.map((name) => [name, link[name]])) as Changes,
      ]),
    );
  if (reason !== null) say(words.notChanged(failed.size, reason));
  if (changed.length > 0 || reason === null) say(done(links.length - failed.size), back);
}

/** Changes each link; those that change alike in one request. */
async function apply(
  all: readonly (readonly [id: string, changes: Changes])[],
): Promise<{ failed: ReadonlySet<string>; reason: string | null }> {
  const changesOf = new Map(all);
  patchRows((link) => ({ ...link, ...changesOf.get(link.id) }));
  const alike = Map.groupBy(all, ([, changes]) => JSON.stringify(changes));
  const failed = new Set<string>();
  let reason: string | null = null;
  for (const group of alike.values()) {
    const [, set = {}] = group[0] ?? [];
    const ids = group.map(([id]) => id);
    for (let at = 0; at < ids.length; at += mostLinks) {
      const some = ids.slice(at, at + mostLinks);
      try {
        const { results } = (await client.links.bulkUpdate.mutate({ ids: some, set })) as ChangedAtOnce;
        for (const { id } of results) failed.add(id);
        reason ??= (results[0] && reasonOf(results[0])) ?? null;
      } catch (error) {
        for (const id of some) failed.add(id);
        reason ??= (error as Error).message;
      }
    }
  }
  await queryClient.invalidateQueries(api.links.pathFilter());
  return { failed, reason };
}
