import type { Call } from "../rpc/procedure.ts";
import type { Database } from "../db/statements.ts";
import type { Author } from "../kernel/context.ts";
import { authorOf } from "./author.ts";

/**
 * One change of links, by one author. Triggers record it (migration 0031); what they cannot know, the transaction tells them
 * with `tell`. Transactions that tell the same id are one change.
 */
export interface Change {
  id: string;
  at: Date;
  by: Author;
  /** The change that this one undoes */
  undoes?: string;
}

/** A change by the caller of a procedure; a new one, unless an id is given. */
export const changeBy = ({ deps, actor }: Call, id = deps.newId()): Change => ({
  id,
  at: deps.clock(),
  by: authorOf(actor),
});

/** SQL that tells the triggers about the change, for the rest of the transaction. Use it where it is evaluated. */
export const tell = (parameter: string) => `set_config('terse.change', ${parameter}, true)`;

/** The parameter of `tell`. */
export const toldOf = ({ id, at, by, undoes }: Change): string =>
  JSON.stringify({ id, at: at.toISOString(), ...by, undoes });

/** The id of a change by which it is undone; null if the triggers have recorded nothing in this transaction. */
export async function recordedId(database: Database, { id }: Change): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>("select id from changes where id = $1", [id]);
  return rows[0]?.id ?? null;
}
