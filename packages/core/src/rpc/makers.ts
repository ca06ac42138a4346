import * as z from "zod";
import { sqlArray } from "../db/arrays.ts";
import type { Em } from "../db/em.ts";
import type { Actor } from "../kernel/context.ts";

/** The field of answers that names who made something. */
export const makerOutput = z
  .object({ id: z.string(), name: z.string() })
  .nullable()
  .describe("The person who made it, also after they left the workspace; null if unknown or erased");
export type Maker = z.infer<typeof makerOutput>;

/** The caller as a maker; null for the service, the operator and strangers. */
export const callerAsMaker = (actor: Actor | undefined): Maker =>
  actor?.kind === "account" && actor.user ? { id: actor.user.id, name: actor.user.name } : null;

/** SQL: a person as a maker, by an expression for their id. */
export const makerSql = (id: string) =>
  `(select jsonb_build_object('id', id, 'name', name) from workspaces where id = ${id} and personal and erased_at is null)`;

type Id = string | null | undefined;

/** Looks up people by their ids: one statement, and none if they are all the caller. */
export async function readMakers(em: Em, ids: readonly Id[], actor?: Actor): Promise<(id: Id) => Maker> {
  const caller = callerAsMaker(actor);
  const others = new Set(ids.flatMap((id) => (id == null || id === caller?.id ? [] : [id])));
  const found =
    others.size === 0
      ? []
      : await em.execute<NonNullable<Maker>[]>(
          "select id, name from workspaces where id = any(?::uuid[]) and personal and erased_at is null",
          [sqlArray([...others])],
        );
  const known = new Map([...(caller ? [caller] : []), ...found].map((maker) => [maker.id, maker]));
  return (id) => known.get(id ?? "") ?? null;
}
