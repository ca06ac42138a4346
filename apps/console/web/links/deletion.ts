import { api, queryClient } from "../api.ts";
import { createDeletion } from "../frame/deletion.ts";

/** Deleting links, which can be undone. */
export const { useDeleted: useDeletedLinks, deleteLater } = createDeletion("/v1/links", () =>
  queryClient.invalidateQueries(api.links.pathFilter()),
);
