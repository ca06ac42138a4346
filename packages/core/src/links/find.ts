import type { Call } from "../rpc/procedure.ts";
import { notFound } from "../kernel/errors.ts";
import { isId } from "../validation/strings.ts";
import { LinkEntity } from "./link.entity.ts";

/** Returns the account's link with this id; 404 if the account has none, even if another account has it. */
export async function findLink({ em }: Call, id: string) {
  const link = isId(id) ? await em.findOne(LinkEntity, { id }) : null;
  if (!link) throw notFound("Link");
  return link;
}
