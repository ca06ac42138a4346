import type { Deps } from "../deps.ts";
import { isId } from "../validation/strings.ts";
import type { StoredIdentity } from "./logins.types.ts";
import { IdentityEntity } from "./identity.entity.ts";

/** Lists the people at sign-in providers who may sign in to an account, oldest first. */
export async function identitiesOf({ orm }: Deps, accountId: string): Promise<StoredIdentity[]> {
  if (!isId(accountId)) return [];
  const identities = await orm.em
    .fork()
    .find(IdentityEntity, { account_id: accountId }, { orderBy: { created_at: "asc", id: "asc" } });
  return identities.map(({ id, provider, issuer, subject, created_at }) => ({
    id,
    provider,
    issuer,
    subject,
    created_at: created_at.toISOString(),
  }));
}

/** Removes an identity: its next sign-in is a first one. False if there is none with that id. */
export async function unlinkIdentity({ orm }: Deps, id: string): Promise<boolean> {
  return isId(id) && (await orm.em.fork().nativeDelete(IdentityEntity, { id })) > 0;
}
