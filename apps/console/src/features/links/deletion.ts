import type { Answers } from "../../kit/api/answers.ts";
import { refresh } from "../../kit/api/api.ts";
import { createDeletion, lastRequest } from "../../kit/api/deletion.ts";
import { type Link, shortName } from "../../kit/api/link.ts";
import { reasonOf } from "../../kit/reason.ts";
import { useStrings } from "../../words/strings.tsx";
import { partsOf } from "./bulk.ts";

/** Deleting links, which can be undone. */
export const { useDeleted: useDeletedLinks, deleteLater } = createDeletion(remove, () => refresh("links"));

/** Deletes links, and says so with a way back. */
export function useDelete(): (links: readonly Link[]) => void {
  const { links: one, linkList: many } = useStrings();
  return (links) => {
    const ids = links.map(({ id }) => id);
    const [first] = links;
    if (!first) return;
    deleteLater(ids, links.length === 1 ? one.deleted(shortName(first)) : many.deleted(links.length));
  };
}

async function remove(ids: readonly string[]): Promise<string | null> {
  const [only = ""] = ids;
  if (ids.length === 1) return lastRequest(`/v1/links/${encodeURIComponent(only)}`, { method: "DELETE" });
  let reason: string | null = null;
  for (const part of partsOf(ids)) {
    const init = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ids: part }),
    };
    const refusal = await lastRequest("/v1/links/bulk/delete", init, firstRefusal);
    reason ??= refusal;
  }
  return reason;
}

/** Why the first of the links that are still there was not deleted. */
const firstRefusal = (data: unknown) => {
  const first = (data as Outcome).results.find(({ status }) => status !== 404);
  return (first && reasonOf(first)) ?? null;
};
type Outcome = Extract<Answers["links"]["bulkDelete"], { matched: number }>;
