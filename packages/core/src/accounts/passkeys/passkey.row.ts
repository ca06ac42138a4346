import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { shown } from "../../kernel/validation/strings.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { accountFilter, type OwnRows, ownRows } from "../../rpc/own-rows.ts";
import { type ActivityDeps, operatorActor, recordActivity } from "../activity/record.ts";
import { accountOf } from "../workspaces/workspace.row.ts";
import { type Passkey, passkeySchema } from "./passkey.schema.ts";

/** A passkey: the public half of a key pair. */
export const PasskeyEntity = defineEntity({
  name: "Passkey",
  tableName: "passkeys",
  filters: accountFilter,
  properties: {
    id: p.uuid().primary(),
    account_id: () => accountOf("passkeys"),
    /** By which devices find the other half */
    credential_id: p.blob().unique("passkeys_credential_id_unique"),
    /** In COSE's format (RFC 9052) */
    public_key: p.blob(),
    /** How often it has signed, if its device counts; 0 if not */
    counter: p.bigint("number"),
    /** How browsers reach it, such as "internal" or "usb" */
    transports: p.array().columnType("text[]"),
    synced: p.boolean(),
    name: p.text(),
    created_at: p.datetime(3),
    last_used_at: p.datetime(3).nullable(),
  },
});

export const passkeys: OwnRows<InferEntity<typeof PasskeyEntity>, Passkey> = ownRows(
  PasskeyEntity,
  "Passkey",
  (row) => shown(passkeySchema, row),
);

/** Implements `Passkeys.remove`. */
export async function removePasskey(deps: ActivityDeps, id: string): Promise<boolean> {
  const { rows } = await deps.pool.query<{ account_id: string; name: string }>(
    "delete from passkeys where id = $1 returning account_id, name",
    [idOrNull(id)],
  );
  const [removed] = rows;
  if (!removed) return false;
  await recordActivity(deps, operatorActor(removed.account_id), "passkey_removed", removed.name);
  return true;
}
