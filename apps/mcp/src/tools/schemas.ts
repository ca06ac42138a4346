import { appRouter, definitionOf } from "@terse/core";
import type { AnyProcedure } from "@trpc/server";
import * as z from "zod";

export type Arguments = Record<string, unknown>;

/** Finds the id that a slug or a short URL stands for. */
export const locate = appRouter.links.locate;

/** A procedure's fields as a tool's arguments: whatever an id may be elsewhere, here it is what `locate` takes. */
export function argumentsOf(procedure: AnyProcedure): z.ZodRawShape {
  const { fields } = definitionOf(procedure);
  return "id" in fields ? { ...fields, ...definitionOf(locate).fields } : fields;
}

/** The fields that two procedures share, and an `id` that decides between them. */
export function argumentsOfEither(whole: AnyProcedure, forLink: AnyProcedure): z.ZodRawShape {
  const { id, ...fields } = argumentsOf(forLink) as { id: z.ZodType } & z.ZodRawShape;
  const known = definitionOf(whole).fields;
  const shared = Object.entries(fields).filter(([name]) => name in known);
  return { id: id.optional(), ...Object.fromEntries(shared) };
}

/** What a tool answers, which must be an object; a page keeps its numbers beside its list. */
export function answerOf(procedure: AnyProcedure, list?: string): z.ZodObject {
  const { output, page } = definitionOf(procedure);
  if (list === undefined) return output as z.ZodObject;
  return page ? z.object({ [list]: page.data, ...page.meta.shape }) : z.object({ [list]: output });
}

/** What either procedure answers; fields that only the second has may be absent. */
export function answerOfEither(whole: AnyProcedure, forLink: AnyProcedure): z.ZodObject {
  return z.object({ ...answerOf(forLink).partial().shape, ...answerOf(whole).shape });
}
