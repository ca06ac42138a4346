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
  /** Create a short link */
  create: createLink,
  /** List links */
  list: listLinks,
  /** Check whether a slug is free */
  availability: slugAvailability,
  /** Export links */
  export: exportLinks,
  /** Get a link */
  get: getLink,
  /** Find a link by its slug or short URL */
  locate: locateLink,
  /** Update a link */
  update: updateLink,
  /** Delete a link */
  delete: deleteLink,
  /** Create many links */
  bulkCreate: createLinks,
  /** Change many links */
  bulkUpdate: updateLinks,
  /** Delete many links */
  bulkDelete: deleteLinks,
  /** List the changes of a link */
  history: linkHistory,
  /** Get a link's QR code */
  qr: qrOfLink,
  /** Get the logo of QR codes */
  qrLogo: getLogo,
  /** Set the logo of QR codes */
  setQrLogo: setLogo,
  /** Delete the logo of QR codes */
  deleteQrLogo: deleteLogo,
  /** Explain where a link leads */
  explain: explainLink,
  /** Explain where a link would lead */
  explainDraft,
});
