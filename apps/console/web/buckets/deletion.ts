import { api, queryClient } from "../api.ts";
import { createDeletion } from "../frame/deletion.ts";

/** Deleting pages, which can be undone. */
export const { useDeleted: useDeletedBuckets, deleteLater } = createDeletion("/v1/buckets", () =>
  queryClient.invalidateQueries(api.buckets.pathFilter()),
);
