import { router } from "../rpc/procedure.ts";
import { createLink } from "./create.ts";
import { deleteLink } from "./delete.ts";
import { explainLink } from "./explain.ts";
import { getLink } from "./get.ts";
import { listLinks } from "./list.ts";
import { locateLink } from "./locate.ts";
import { qrOfLink } from "./qr/qr.ts";
import { updateLink } from "./update.ts";

export const linksRouter = router({
  create: createLink,
  list: listLinks,
  get: getLink,
  locate: locateLink,
  update: updateLink,
  delete: deleteLink,
  qr: qrOfLink,
  explain: explainLink,
});
