import { defineEntity, p } from "@mikro-orm/core";
import { isId } from "../../kernel/validation/ids.ts";
import { type ActivityDeps, operatorActor, recordActivity } from "../activity/record.ts";
import type { CallDeps } from "../../rpc/call.ts";
import { accountOf } from "../users/user.row.ts";
import type { StoredIdentity } from "./identity.schema.ts";

/** A person at a login provider. An account may have several. */
export const IdentityEntity = defineEntity({
  name: "Identity",
  tableName: "identities",
  uniques: [{ name: "identities_issuer_subject_unique", properties: ["issuer", "subject"] }],
  properties: {
    id: p.uuid().primary(),
    account_id: () => accountOf("identities"),
    provider: p.text(),
    issuer: p.text(),
    subject: p.text(),
    created_at: p.datetime(3),
  },
});

/** Implements `Logins.identities`. */
export async function identitiesOf(
  { orm }: Pick<CallDeps, "orm">,
  accountId: string,
): Promise<StoredIdentity[]> {
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

/** Implements `Logins.unlink`. */
export async function unlinkIdentity(deps: ActivityDeps, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const { rows } = await deps.pool.query<{ account_id: string; provider: string }>(
    "delete from identities where id = $1 returning account_id, provider",
    [id],
  );
  const [unlinked] = rows;
  if (!unlinked) return false;
  await recordActivity(deps, operatorActor(unlinked.account_id), "identity_unlinked", unlinked.provider);
  return true;
}
