import { isoTime } from "../../kernel/time.ts";
import { type Action, type ActorKind, type FieldChanges, type LoggedActivity } from "./activity.schema.ts";

/** A row of `activity` as JSON in the database. */
export interface ActivityRow {
  id: string;
  account_id: string;
  at: string;
  action: Action;
  count: number;
  by_kind: ActorKind;
  by_id: string | null;
  by_name: string | null;
  user_id: string | null;
  about: string | null;
  target_id: string | null;
  target_name: string | null;
  fields: FieldChanges | null;
  network: string | null;
  client: string | null;
  /** As PostgreSQL writes bytes: \x and hexadecimal digits */
  previous: string | null;
}

/** A recorded line as the log of its workspace shows it. */
export function toLogged(row: ActivityRow): LoggedActivity {
  const { id, action, count, about, client, fields, previous } = row;
  return {
    id,
    at: isoTime(row.at),
    actor: actorIn(row),
    action,
    target: targetIn(row),
    address: row.network,
    details: { about, client, count, fields: fields ?? {} },
    previous_hash: previous === null ? null : previous.slice(2),
  };
}

function actorIn({ by_kind, by_id, by_name, user_id }: ActivityRow): LoggedActivity["actor"] {
  if (by_kind !== "session") return { kind: by_kind, id: by_id, name: by_name, user_id, session_id: null };
  return { kind: "user", id: user_id, name: by_name, user_id, session_id: by_id };
}

/** Kinds of things that actions do not begin with. */
const kinds: Readonly<Record<string, string>> = {
  signed: "session",
  sign: "user",
  sessions: "user",
  email: "user",
  operator: "user",
  consents: "user",
  ownership: "member",
  plan: "workspace",
  suspended: "workspace",
  resumed: "workspace",
  exported: "workspace",
  deletion: "workspace",
};

function targetIn({ action, about, target_id, target_name, by_id, account_id }: ActivityRow) {
  const [first = "", second] = action.split("_");
  const kind = first === "directory" ? `${first}_${second}` : (kinds[first] ?? first);
  if (kind === "user") return { kind, id: target_id ?? account_id, name: target_name };
  if (kind === "workspace") {
    const isNamed = first === "workspace" || first === "deletion";
    return { kind, id: target_id ?? account_id, name: target_name ?? (isNamed ? about : null) };
  }
  // Of these, `about` is something else than a name.
  if (kind === "session")
    return { kind, id: target_id ?? (action === "signed_in" ? by_id : about), name: null };
  if (kind === "link" || first === "ownership") return { kind, id: target_id ?? about, name: target_name };
  return { kind, id: target_id, name: target_name ?? (kind === "group" ? null : about) };
}
