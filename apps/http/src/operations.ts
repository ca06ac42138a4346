import type { AppRouter, Meta } from "@terse/core";
import type { AnyProcedure } from "@trpc/server";
import * as z from "zod";

/** One procedure's place in the REST API, read off the router once at start. */
export interface Operation {
  /** The procedure's name: "links.create" */
  name: string;
  procedure: AnyProcedure;
  type: "query" | "mutation";
  method: NonNullable<Meta["openapi"]>["method"];
  /** In OpenAPI's notation: /v1/links/{id} */
  path: string;
  pathParams: string[];
  meta: Required<Pick<Meta, "access" | "openapi">>;
  /** JSON Schema of the input's fields, by name */
  inputFields: Record<string, z.core.JSONSchema.BaseSchema>;
  takesInput: boolean;
  /** True where the output is `{data, meta}` already: a page of a list */
  paged: boolean;
  /** Set where the output is a file, made at once or while it is sent */
  file: "text" | "stream" | undefined;
  successStatus: 200 | 201;
}

interface Definition {
  type: "query" | "mutation";
  meta?: Meta;
  inputs: z.ZodType[];
  output?: z.ZodType;
}

/** Every operation of the router that has a place in the REST API, in the router's order. */
export function operationsOf(router: AppRouter): Operation[] {
  const procedures = router._def.procedures as unknown as Record<string, AnyProcedure & { _def: Definition }>;
  return Object.entries(flatten(procedures)).flatMap(([name, procedure]) => {
    const { meta, type, inputs, output } = procedure._def;
    if (!meta?.openapi || !meta.access) return [];
    const schema = inputs[0] && z.toJSONSchema(inputs[0], { io: "input", unrepresentable: "any" });
    return {
      name,
      procedure,
      type,
      method: meta.openapi.method,
      path: meta.openapi.path,
      pathParams: [...meta.openapi.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param as string),
      meta: { access: meta.access, openapi: meta.openapi },
      inputFields: fieldsOf(schema),
      takesInput: inputs.length > 0,
      paged: output instanceof z.ZodObject && "data" in output.shape && "meta" in output.shape,
      file: fileOf(output),
      successStatus: meta.openapi.successStatus ?? 200,
    };
  });
}

function fileOf(output: z.ZodType | undefined): Operation["file"] {
  if (!(output instanceof z.ZodObject && "disposition" in output.shape)) return undefined;
  return output.shape["body"] instanceof z.ZodString ? "text" : "stream";
}

type Tree = { [name: string]: Tree | (AnyProcedure & { _def: Definition }) };

/** tRPC keeps nested routers either flat or as a record, depending on how they were made. */
function flatten(tree: Tree, prefix = ""): Record<string, AnyProcedure & { _def: Definition }> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === "function"
        ? [[prefix + key, value as AnyProcedure & { _def: Definition }] as const]
        : Object.entries(flatten(value, `${prefix}${key}.`)),
    ),
  );
}

function fieldsOf(schema: z.core.JSONSchema.BaseSchema | undefined): Operation["inputFields"] {
  const object = schema?.anyOf?.find((part) => typeof part === "object" && part.type === "object") ?? schema;
  return (object?.properties ?? {}) as Operation["inputFields"];
}
