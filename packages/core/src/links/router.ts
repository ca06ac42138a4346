import { router } from "../rpc/procedure.ts";
import { slugAvailability } from "./availability.ts";
import { createLink } from "./create.ts";
import { deleteLink } from "./delete.ts";
import { explainLink } from "./explain.ts";
import { explainDraft } from "./explain-draft.ts";
import { getLink } from "./get.ts";
import { listLinks } from "./list.ts";
import { locateLink } from "./locate.ts";
import { qrOfLink } from "./qr/qr.ts";
import { updateLink } from "./update.ts";

export const linksRouter = router({
  /** Create a short link */
  create: createLink,
  /** List links */
  list: listLinks,
  /** Check whether a slug is free */
  availability: slugAvailability,
  /** Get a link */
  get: getLink,
  /** Find a link by id, slug or short URL */
  locate: locateLink,
  /** Update a link */
  update: updateLink,
  /** Delete a link */
  delete: deleteLink,
  /** Get a link's QR code */
  qr: qrOfLink,
  /** Explain where a link leads */
  explain: explainLink,
  /** Explain where a link would lead */
  explainDraft,
});
