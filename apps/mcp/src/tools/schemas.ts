import { appRouter, definitionOf } from "@terse/core";
import type { AnyProcedure } from "@trpc/server";
import * as z from "zod";

export type Arguments = Record<string, unknown>;

/** Resolves a slug or short URL to a link's id. */
export const locate = appRouter.links.locate;

/** A procedure's fields as a tool's arguments; an `id` of a link accepts whatever `locate` does. */
export function argumentsOf(procedure: AnyProcedure, isAboutLink = true): z.ZodRawShape {
  const { fields } = definitionOf(procedure);
  return isAboutLink && "id" in fields ? { ...fields, ...definitionOf(locate).fields } : fields;
}

/** The fields that two procedures share, plus an optional `id` that selects the second one. */
export function argumentsOfEither(whole: AnyProcedure, forLink: AnyProcedure): z.ZodRawShape {
  const { id, ...fields } = argumentsOf(forLink) as { id: z.ZodType } & z.ZodRawShape;
  const known = definitionOf(whole).fields;
  const shared = Object.entries(fields).filter(([name]) => name in known);
  return { id: id.optional(), ...Object.fromEntries(shared) };
}

/** The output schema of a tool, which must be an object; a page keeps its paging fields next to its list of rows. */
export function answerOf(procedure: AnyProcedure, list?: string): z.ZodObject {
  const { output, page } = definitionOf(procedure);
  if (list === undefined) return objectOf(output);
  if (!page) return z.object({ [list]: output });
  return z.object({ [list]: page.data, ...page.meta.shape });
}

/** The same with other rows, or another object if there is no list. */
export function answerWith(item: z.ZodObject, procedure: AnyProcedure, list?: string): z.ZodObject {
  return list === undefined ? item : answerOf(procedure, list).extend({ [list]: z.array(item) });
}

/** An answer that can be one of several objects is listed as one with the fields of all. */
function objectOf(output: z.ZodType): z.ZodObject {
  if (!(output instanceof z.ZodUnion)) return output as z.ZodObject;
  const [first, ...more] = (output.options as z.ZodType[]).map(objectOf);
  return more.reduce<z.ZodObject>((all, one) => all.extend(one.shape), first as z.ZodObject).partial();
}

/** The schema of an item of a procedure that returns a list, or a page of one. */
export function rowOf(procedure: AnyProcedure): z.ZodObject {
  const { output, page } = definitionOf(procedure);
  return (page?.data ?? (output as z.ZodArray)).element as z.ZodObject;
}

/** The output schema of either procedure; fields that only the second one has are optional. */
export function answerOfEither(whole: AnyProcedure, forLink: AnyProcedure): z.ZodObject {
  return z.object({ ...answerOf(forLink).partial().shape, ...answerOf(whole).shape });
}
