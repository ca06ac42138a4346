import { router } from "../rpc/procedure.ts";
import { slugAvailability } from "./availability.ts";
import { createLinks } from "./bulk/create.ts";
import { deleteLinks, updateLinks } from "./bulk/bulk.procedures.ts";
import { createLink } from "./create.ts";
import { deleteLink } from "./delete.ts";
import { linkHistory } from "./history/history.procedures.ts";
import { explainLink } from "./explain.ts";
import { explainDraft } from "./explain-draft.ts";
import { exportLinks } from "./export.ts";
import { getLink } from "./get.ts";
import { listLinks } from "./list.ts";
import { locateLink } from "./locate.ts";
import { deleteLogo } from "./qr/delete-logo.ts";
import { getLogo } from "./qr/get-logo.ts";
import { qrOfLink } from "./qr/qr.ts";
import { setLogo } from "./qr/set-logo.ts";
import { updateLink } from "./update.ts";

export const linksRouter = router({
  create: createLink,
  list: listLinks,
  availability: slugAvailability,
  export: exportLinks,
  get: getLink,
  locate: locateLink,
  update: updateLink,
  delete: deleteLink,
  bulkCreate: createLinks,
  bulkUpdate: updateLinks,
  bulkDelete: deleteLinks,
  history: linkHistory,
  qr: qrOfLink,
  qrLogo: getLogo,
  setQrLogo: setLogo,
  deleteQrLogo: deleteLogo,
  explain: explainLink,
  explainDraft,
});
