import { defineEntity, p } from "@mikro-orm/core";
import { accountOf } from "../users/user.entity.ts";

/** A login. The token in the `session` cookie is never stored, only its SHA-256. */
export const SessionEntity = defineEntity({
  name: "Session",
  tableName: "sessions",
  properties: {
    id: p.uuid().primary(),
    account_id: () => accountOf("sessions"),
    hash: p.blob().unique("sessions_hash_unique"),
    created_at: p.datetime(3),
    last_seen_at: p.datetime(3),
    expires_at: p.datetime(3).index("sessions_expires_at"),
  },
});
