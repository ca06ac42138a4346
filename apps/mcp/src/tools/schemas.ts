import type { AnyProcedure } from "@trpc/server";
import * as z from "zod";

export type Arguments = Record<string, unknown>;

/** What tRPC keeps of a procedure's definition; its types do not say so. */
interface Definition {
  inputs: z.ZodType[];
  output: z.ZodType;
}
const definitionOf = (procedure: AnyProcedure) => procedure._def as unknown as Definition;

export const outputOf = (procedure: AnyProcedure): z.ZodType => definitionOf(procedure).output;

/** The fields of a procedure's input, by name. */
export function fieldsOf(procedure: AnyProcedure): z.ZodRawShape {
  let schema: unknown = definitionOf(procedure).inputs[0];
  while (!(schema instanceof z.ZodObject)) {
    // What is wrapped around the fields: a default for all of them, or a rule over several.
    if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) schema = schema.unwrap();
    else if (schema instanceof z.ZodPipe) schema = schema.in;
    else return {};
  }
  return schema.shape;
}

/** The schema of a list as an object; a page keeps its numbers beside it. */
export function listSchema(name: string, output: z.ZodType): z.ZodObject {
  if (!(output instanceof z.ZodObject)) return z.object({ [name]: output });
  const { data, meta } = output.shape as { data: z.ZodArray; meta: z.ZodObject };
  return z.object({ [name]: data, ...meta.shape });
}
