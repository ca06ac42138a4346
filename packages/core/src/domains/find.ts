import type { Call } from "./call.ts";
import { notFound } from "../kernel/errors.ts";
import { isId } from "../kernel/validation/ids.ts";
import { DomainEntity } from "./domain.entity.ts";

export const domainNotFound = () => notFound("Domain");

/** The account's domain with this id; 404 if there is none, even if another account has one. */
export async function findDomain({ em }: Call, accountId: string, id: string) {
  const where = { id, account_id: accountId, deleted_at: null };
  const domain = isId(id) ? await em.findOne(DomainEntity, where) : null;
  if (!domain) throw domainNotFound();
  return domain;
}
