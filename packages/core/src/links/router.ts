import { router } from "../procedure.ts";
import { createLink } from "./create.ts";
import { deleteLink } from "./delete.ts";
import { getLink } from "./get.ts";
import { listLinks } from "./list.ts";
import { updateLink } from "./update.ts";

export const linksRouter = router({
  create: createLink,
  list: listLinks,
  get: getLink,
  update: updateLink,
  delete: deleteLink,
});
