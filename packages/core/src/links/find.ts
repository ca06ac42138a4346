import type { Call } from "../rpc/procedure.ts";
import { notFound } from "../kernel/errors.ts";
import { isId } from "../validation/strings.ts";
import { LinkEntity } from "./link.entity.ts";

/** The account's link with this id; 404 where there is none, whoever else may have one. */
export async function findLink({ em }: Call, id: string) {
  const link = isId(id) ? await em.findOne(LinkEntity, { id }) : null;
  if (!link) throw notFound("Link");
  return link;
}
