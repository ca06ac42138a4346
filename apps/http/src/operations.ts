import { type AppRouter, type Definition, definitionOf, type Meta, proceduresOf } from "@terse/core";
import type { AnyProcedure } from "@trpc/server";
import * as z from "zod";

/** A procedure's place in the REST API, read from the router once at startup. */
export interface Operation extends Pick<Definition, "takesInput" | "refusesUnknown" | "roundTripFields"> {
  /** The procedure's name, such as "links.create" */
  name: string;
  procedure: AnyProcedure;
  method: NonNullable<Meta["openapi"]>["method"];
  /** In OpenAPI notation: /v1/links/{id} */
  path: string;
  pathParams: string[];
  meta: Required<Pick<Meta, "access" | "openapi">> & Pick<Meta, "scope" | "permission">;
  /** JSON Schema of the input's fields, by name */
  inputFields: Record<string, z.core.JSONSchema.BaseSchema>;
  /** True if the output is already `{data, meta}`: a page of a list */
  paged: boolean;
  /** Set if the output is a file: complete, or streamed */
  file: "text" | "stream" | undefined;
  successStatus: 200 | 201 | 202;
}

/** Returns all operations that are in the REST API, in the router's order. */
export function operationsOf(router: AppRouter): Operation[] {
  return proceduresOf(router).flatMap(([name, procedure]) => {
    const { meta, fields, output, page, takesInput, refusesUnknown, roundTripFields } =
      definitionOf(procedure);
    const { access, scope, permission, openapi } = meta;
    if (!openapi) return [];
    let inputFields: Operation["inputFields"] | undefined;
    return {
      name,
      procedure,
      method: openapi.method,
      path: openapi.path,
      pathParams: [...openapi.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param as string),
      meta: { access, openapi, ...(scope && { scope }), ...(permission !== undefined && { permission }) },
      // Made when it is first needed: all of them together would make the start longer.
      get inputFields() {
        return (inputFields ??= schemasOf(fields));
      },
      takesInput,
      refusesUnknown,
      roundTripFields,
      paged: page !== undefined,
      file: fileOf(output),
      successStatus: openapi.successStatus ?? 200,
    };
  });
}

function schemasOf(fields: z.ZodRawShape): Operation["inputFields"] {
  const { properties } = z.toJSONSchema(z.object(fields), { io: "input", unrepresentable: "any" });
  return properties as Operation["inputFields"];
}

function fileOf(output: z.ZodType): Operation["file"] {
  if (!(output instanceof z.ZodObject && "disposition" in output.shape)) return undefined;
  return output.shape["body"] instanceof z.ZodString ? "text" : "stream";
}
