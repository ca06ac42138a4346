import { appRouter, definitionOf } from "@terse/core";
import type { AnyProcedure } from "@trpc/server";
import * as z from "zod";

export type Arguments = Record<string, unknown>;

/** Resolves a slug or short URL to a link's id. */
export const locate = appRouter.links.locate;

/** A procedure's fields as a tool's arguments; an `id` accepts whatever `locate` does. */
export function argumentsOf(procedure: AnyProcedure): z.ZodRawShape {
  const { fields } = definitionOf(procedure);
  return "id" in fields ? { ...fields, ...definitionOf(locate).fields } : fields;
}

/** The fields that two procedures share, plus an optional `id` that selects the second one. */
export function argumentsOfEither(whole: AnyProcedure, forLink: AnyProcedure): z.ZodRawShape {
  const { id, ...fields } = argumentsOf(forLink) as { id: z.ZodType } & z.ZodRawShape;
  const known = definitionOf(whole).fields;
  const shared = Object.entries(fields).filter(([name]) => name in known);
  return { id: id.optional(), ...Object.fromEntries(shared) };
}

/** The output schema of a tool, which must be an object; a page keeps its paging fields next to its list of rows. */
export function answerOf(procedure: AnyProcedure, list?: string, row?: z.ZodObject): z.ZodObject {
  const { output, page } = definitionOf(procedure);
  if (list === undefined) return output as z.ZodObject;
  if (!page) return z.object({ [list]: output });
  return z.object({ [list]: row ? z.array(row) : page.data, ...page.meta.shape });
}

/** The schema of an item of a procedure that returns a page of a list. */
export const rowOf = (procedure: AnyProcedure) => definitionOf(procedure).page?.data.element as z.ZodObject;

/** The output schema of either procedure; fields that only the second one has are optional. */
export function answerOfEither(whole: AnyProcedure, forLink: AnyProcedure): z.ZodObject {
  return z.object({ ...answerOf(forLink).partial().shape, ...answerOf(whole).shape });
}
