import { api, queryClient } from "../api.ts";
import { createDeletion, lastRequest } from "../frame/deletion.ts";
import { mostLinks } from "./bulk.ts";

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
    const refusal = await lastRequest("/v1/links/bulk/delete", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ids: part }),
    });
    reason ??= refusal;
  }
  return reason;
}
