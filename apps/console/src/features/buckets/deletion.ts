import { api, queryClient } from "../../kit/api/api.ts";
import { createDeletion, lastRequest } from "../../kit/api/deletion.ts";

/** Deleting pages, which can be undone. */
export const { useDeleted: useDeletedBuckets, deleteLater } = createDeletion(
  async (ids) => {
    const requests = ids.map((id) =>
      lastRequest(`/v1/buckets/${encodeURIComponent(id)}`, { method: "DELETE" }),
    );
    return (await Promise.all(requests)).find((answer) => answer !== null) ?? null;
  },
  () => queryClient.invalidateQueries(api.buckets.pathFilter()),
);
