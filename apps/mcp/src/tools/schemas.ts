import { appRouter } from "@terse/core";
import type { AnyProcedure } from "@trpc/server";
import * as z from "zod";

export type Arguments = Record<string, unknown>;

/** What tRPC keeps of a procedure's definition; its types do not say so. */
interface Definition {
  inputs: z.ZodType[];
  output: z.ZodType;
}
const definitionOf = (procedure: AnyProcedure) => procedure._def as unknown as Definition;

/** Finds the id that a slug or a short URL stands for. */
export const locate = appRouter.links.locate;

/** The fields of a procedure's input, by name. */
export function fieldsOf(procedure: AnyProcedure): z.ZodRawShape {
  let schema: unknown = definitionOf(procedure).inputs[0];
  while (!(schema instanceof z.ZodObject)) {
    // What is wrapped around the fields: a default for all of them, or a rule over several.
    if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) schema = schema.unwrap();
    else if (schema instanceof z.ZodPipe)
      schema = schema.in instanceof z.ZodTransform ? schema.out : schema.in;
    else return {};
  }
  return schema.shape;
}

/** A procedure's fields as a tool's arguments: whatever an id may be elsewhere, here it is what `locate` takes. */
export function argumentsOf(procedure: AnyProcedure): z.ZodRawShape {
  const fields = fieldsOf(procedure);
  return "id" in fields ? { ...fields, ...fieldsOf(locate) } : fields;
}

/** The fields that two procedures share, and an `id` that decides between them. */
export function argumentsOfEither(whole: AnyProcedure, forLink: AnyProcedure): z.ZodRawShape {
  const { id, ...fields } = argumentsOf(forLink) as { id: z.ZodType } & z.ZodRawShape;
  const shared = Object.entries(fields).filter(([name]) => name in fieldsOf(whole));
  return { id: id.optional(), ...Object.fromEntries(shared) };
}

/** What a tool answers, which must be an object; a page keeps its numbers beside its list. */
export function answerOf(procedure: AnyProcedure, list?: string): z.ZodObject {
  const { output } = definitionOf(procedure);
  if (list === undefined) return output as z.ZodObject;
  if (!(output instanceof z.ZodObject)) return z.object({ [list]: output });
  const { data, meta } = output.shape as { data: z.ZodArray; meta: z.ZodObject };
  return z.object({ [list]: data, ...meta.shape });
}

/** What either procedure answers; fields that only the second has may be absent. */
export function answerOfEither(whole: AnyProcedure, forLink: AnyProcedure): z.ZodObject {
  return z.object({ ...answerOf(forLink).partial().shape, ...answerOf(whole).shape });
}
