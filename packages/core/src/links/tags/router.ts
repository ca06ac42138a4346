import { router } from "../../rpc/procedure.ts";
import { deleteTag } from "./delete.ts";
import { listTags } from "./list.ts";
import { renameTag } from "./rename.ts";

export const tagsRouter = router({
  /** List tags */
  list: listTags,
  /** Rename or merge a tag */
  rename: renameTag,
  /** Delete a tag */
  delete: deleteTag,
});
