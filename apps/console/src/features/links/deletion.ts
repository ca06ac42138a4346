import type { AppRouter } from "@terse/core";
import type { inferRouterOutputs } from "@trpc/server";
import { api, queryClient } from "../../kit/api/api.ts";
import { createDeletion, lastRequest } from "../../kit/api/deletion.ts";
import { mostLinks } from "./bulk.ts";
import { reasonOf } from "../../kit/reason.ts";

/** Deleting links, which can be undone. */
export const { useDeleted: useDeletedLinks, deleteLater } = createDeletion(remove, () =>
  queryClient.invalidateQueries(api.links.pathFilter()),
);

async function remove(ids: readonly string[]): Promise<string | null> {
  const [only = ""] = ids;
  if (ids.length === 1) return lastRequest(`/v1/links/${encodeURIComponent(only)}`, { method: "DELETE" });
  const parts = Array.from({ length: Math.ceil(ids.length / mostLinks) }, (_, at) =>
    ids.slice(at * mostLinks, (at + 1) * mostLinks),
  );
  let reason: string | null = null;
  for (const part of parts) {
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
type Outcome = Extract<inferRouterOutputs<AppRouter>["links"]["bulkDelete"], { matched: number }>;
