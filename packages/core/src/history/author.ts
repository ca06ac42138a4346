import type { Call } from "../rpc/procedure.ts";
import { type Actor, type Author, authorKinds } from "../kernel/context.ts";

export function authorOf(actor: Actor): Author {
  if (actor.kind === "account" && actor.author) return actor.author;
  if (actor.kind === "account" && actor.credential === "session")
    return { kind: "session", name: actor.account.name };
  if (actor.kind === "account" && actor.credential === "key")
    return { kind: "key", name: actor.key?.name ?? null };
  return { kind: "system", name: null };
}

/** The call of a job, on behalf of who started it. */
export const startedBy = <Started extends Call>(call: Started, author: Author): Started =>
  call.actor.kind === "account" ? { ...call, actor: { ...call.actor, author } } : call;

/** The operator of the service. */
export const operator: Author = { kind: "admin", name: null };

/** An author as `links.created_by` holds it. A person's name is left out, because it is the account's. */
export const toColumn = ({ kind, name }: Author): string =>
  kind === "key" && name !== null ? `${kind}:${name}` : kind;

/** The author in a column; the system if none was recorded. */
export function fromColumn(text: string | null, accountName: string): Author {
  const [, found = "system", keyName = null] = /^([a-z]+)(?::(.*))?$/s.exec(text ?? "") ?? [];
  const kind = authorKinds.find((known) => known === found) ?? "system";
  return { kind, name: kind === "session" ? accountName : keyName };
}
