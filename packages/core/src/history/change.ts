import type { Call } from "../rpc/call.ts";
import type { Database } from "../db/statements.ts";
import { makerSql } from "../rpc/makers.ts";
import { networkOf } from "../kernel/addresses.ts";
import { type Actor, type Author, authorKinds, makerOf } from "../kernel/context.ts";

/**
 * One change of links, by one author. Triggers record it (`schema/migrations/0006-history.ts`); the transaction sets
 * what they cannot know as their context with `setChangeContext`. Transactions with the same id are one change.
 */
export interface Change {
  id: string;
  at: Date;
  by: Author;
  /** The credential and the network it was made by and from, for the activity log */
  origin?: { by_id?: string | undefined; user_id?: string | undefined; network?: string | null };
  /** The change that this one undoes */
  undoes?: string;
}

/** A change by the caller of a procedure; a new one, unless an id is given. */
export const changeBy = ({ deps, actor }: Call, id = deps.newId()): Change => ({
  id,
  at: deps.clock(),
  by: authorOf(actor),
  origin: originOf(actor),
});

function originOf(actor: Actor): NonNullable<Change["origin"]> {
  // The work of a job goes on after the request that started it.
  if (actor.kind !== "account" || actor.credential === "internal" || actor.author) return {};
  const { credential, account, session_id, key, source, user } = actor;
  const network = source?.address === undefined ? null : networkOf(source.address);
  return credential === "session"
    ? { by_id: session_id, user_id: user?.id ?? account.id, network }
    : { by_id: key?.id, user_id: user?.id, network };
}

/** SQL that sets the context of the triggers for the rest of the transaction. Use it where it is evaluated. */
export const setChangeContext = (parameter: string) => `set_config('terse.change', ${parameter}, true)`;

/** The parameter of `setChangeContext`. */
export const contextOf = ({ id, at, by, origin, undoes }: Change): string =>
  JSON.stringify({ id, at: at.toISOString(), ...by, ...origin, undoes });

/** The id of a change by which it is undone; null if the triggers have recorded nothing in this transaction. */
export async function recordedId(database: Database, { id }: Change): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>("select id from changes where id = $1", [id]);
  return rows[0]?.id ?? null;
}

export function authorOf(actor: Actor): Author {
  if (actor.kind === "account" && actor.author) return actor.author;
  if (actor.kind === "account" && actor.credential === "session")
    return { kind: "session", name: actor.user?.name ?? actor.account.name };
  if (actor.kind === "account" && actor.credential === "key")
    return { kind: "key", name: actor.key?.name ?? null };
  return { kind: "system", name: null };
}

/** The call of a job, on behalf of the author that started it. */
export const startedBy = <Started extends Call>(call: Started, author: Author): Started =>
  call.actor.kind === "account" ? { ...call, actor: { ...call.actor, author } } : call;

/** The operator of the service. */
export const operator: Author = { kind: "admin", name: null };

/** The author of a call as `links.created_by` holds it: its kind with the key's name or the person's id. */
export function toColumn(actor: Actor): string {
  const { kind, name } = authorOf(actor);
  const about = kind === "key" ? name : kind === "session" ? makerOf(actor) : null;
  return about === null ? kind : `${kind}:${about}`;
}

/**
 * SQL: the person who created a link by a session, by its `created_by` and the id of its workspace. The version before left the
 * person out, whose personal workspace it was.
 */
export const creatorSql = (column: string, workspace: string) =>
  makerSql(
    `case when ${column} = 'session' then ${workspace} else substring(${column} from '^session:(.*)$')::uuid end`,
  );

/** The author in a column; the system if none was recorded. A session's is the person with this name. */
export function fromColumn(text: string | null, person: string | null): Author {
  const [, found = "system", keyName = null] = /^([a-z]+)(?::(.*))?$/s.exec(text ?? "") ?? [];
  const kind = authorKinds.find((known) => known === found) ?? "system";
  return { kind, name: kind === "session" ? person : keyName };
}
