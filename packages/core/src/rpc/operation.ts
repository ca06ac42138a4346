import type { AnyProcedure, AnyRouter, inferProcedureOutput } from "@trpc/server";
import * as z from "zod";
import type { Context } from "../kernel/context.ts";
import { type RoundTripFields, roundTripFields } from "../kernel/validation/inputs.ts";
import type { Access, Meta } from "./meta.ts";

/** A procedure's definition for transports, which tRPC keeps but does not type. */
export interface Definition {
  type: "query" | "mutation";
  meta: Meta & { access: Access };
  takesInput: boolean;
  /** The input's fields by name */
  fields: z.ZodRawShape;
  /** Whether a field that is not among them is an error */
  refusesUnknown: boolean;
  /** What an update accepts besides its fields */
  roundTripFields: RoundTripFields | undefined;
  output: z.ZodType;
  /** The parts of the output if it is a page of a list */
  page: { data: z.ZodArray; meta: z.ZodObject } | undefined;
}

/** Every procedure of the router by its dotted name, in the router's order. */
export const proceduresOf = (router: AnyRouter): [name: string, procedure: AnyProcedure][] =>
  Object.entries(router._def.procedures as unknown as Record<string, AnyProcedure>);

export function definitionOf(procedure: AnyProcedure): Definition {
  const { inputs, ...made } = procedure._def as unknown as Definition & { inputs: z.ZodType[] };
  const [input] = inputs;
  const { type, meta, output } = made;
  const object = input && objectIn(input);
  return {
    type,
    meta,
    takesInput: input !== undefined,
    fields: object?.shape ?? {},
    refusesUnknown: object?.def.catchall instanceof z.ZodNever,
    roundTripFields: input && roundTripFields.get(input),
    output,
    page: pageOf(output),
  };
}

const names = new WeakMap<AnyProcedure, string>();

/** Lets procedures be measured by their names when they are called without a router. */
export function nameProcedures(router: AnyRouter): void {
  for (const [name, procedure] of proceduresOf(router)) names.set(procedure, name);
}

/**
 * Calls a procedure as transports do: it authorizes the caller before it reads and parses the input, which is read once.
 * @throws {AppError} only
 */
export const callProcedure = <P extends AnyProcedure>(
  procedure: P,
  ctx: Context,
  getInput: () => unknown,
  signal?: AbortSignal,
): Promise<inferProcedureOutput<P>> => {
  let input: Promise<unknown> | undefined;
  const readOnce = async () => getInput();
  return procedure({
    ctx,
    path: names.get(procedure) ?? "",
    type: procedure._def.type,
    getRawInput: () => (input ??= readOnce()),
    signal,
    batchIndex: 0,
  });
};

/** Unwraps defaults and transforms around the object of fields. */
function objectIn(input: z.ZodType): z.ZodObject | undefined {
  let schema: unknown = input;
  while (!(schema instanceof z.ZodObject)) {
    if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
      schema = schema.unwrap();
    else if (schema instanceof z.ZodPipe)
      schema = schema.in instanceof z.ZodTransform ? schema.out : schema.in;
    else return undefined;
  }
  return schema;
}

function pageOf(output: z.ZodType): Definition["page"] {
  const isPage = output instanceof z.ZodObject && "data" in output.shape && "meta" in output.shape;
  return isPage ? (output.shape as NonNullable<Definition["page"]>) : undefined;
}
