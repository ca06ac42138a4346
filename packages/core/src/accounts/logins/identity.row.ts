import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { idOrNull, isId } from "../../kernel/validation/ids.ts";
import { type ActivityDeps, operatorActor, recordActivity } from "../activity/record.ts";
import { shown } from "../../kernel/validation/strings.ts";
import { type CallDeps, emFor } from "../../rpc/call.ts";
import { accountFilter, type OwnRows, ownRows } from "../../rpc/own-rows.ts";
import { accountOf } from "../workspaces/workspace.row.ts";
import { type LinkedIdentity, identitySchema, type StoredIdentity } from "./identity.schema.ts";

/** A person at a login provider. An account may have several. */
export const IdentityEntity = defineEntity({
  name: "Identity",
  tableName: "identities",
  filters: accountFilter,
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

export const identities: OwnRows<InferEntity<typeof IdentityEntity>, LinkedIdentity> = ownRows(
  IdentityEntity,
  "Identity",
  (row) => shown(identitySchema, row),
);

/** Implements `Logins.identities`. */
export async function identitiesOf(
  deps: Pick<CallDeps, "orm">,
  accountId: string,
): Promise<StoredIdentity[]> {
  if (!isId(accountId)) return [];
  const found = await emFor(deps, accountId).find(IdentityEntity, {}, { orderBy: { id: "asc" } });
  return found.map((row) => ({ ...shown(identitySchema, row), subject: row.subject }));
}

/** Implements `Logins.unlink`. */
export async function unlinkIdentity(deps: ActivityDeps, id: string): Promise<boolean> {
  const { rows } = await deps.pool.query<{ account_id: string; provider: string }>(
    "delete from identities where id = $1 returning account_id, provider",
    [idOrNull(id)],
  );
  const [unlinked] = rows;
  if (!unlinked) return false;
  await recordActivity(deps, operatorActor(unlinked.account_id), "identity_unlinked", unlinked.provider);
  return true;
}
