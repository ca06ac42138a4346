import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect } from "vitest";
import { withoutComponents } from "../src/index.ts";
import type { Answer } from "./client.ts";

export type Schema = { [keyword: string]: unknown; properties?: Record<string, Schema>; anyOf?: Schema[] };
type Content = Record<string, { schema: Schema; example?: unknown }>;
type Ref = { $ref: string };

export interface DocumentedOperation {
  operationId: string;
  method: string;
  path: string;
  security: Record<string, string[]>[];
  parameters?: {
    in: "path" | "query";
    name: string;
    description?: string;
    required?: boolean;
    schema: Schema;
    example?: unknown;
  }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { headers?: Record<string, Ref>; content?: Content }>;
}

interface OpenApi {
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, Omit<DocumentedOperation, "security"> & Partial<DocumentedOperation>>>;
  components: { headers: Record<string, { required?: boolean; schema: Schema }>; schemas: unknown };
}

/** /openapi.json, ready to compare requests and answers with. */
export function readDocument(source: unknown) {
  const document = closed(withoutComponents(source as object)) as OpenApi;
  // Strict: a keyword that JSON Schema does not know is a mistake in the document.
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
  formats.default(ajv);
  ajv.addKeyword("components");
  ajv.addKeyword("x-aliases");
  // Each schema that has a name is compiled once.
  ajv.addSchema({ components: document.components }, "document");
  const validatorOf = validatorsOf(ajv);

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      security: document.security,
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  function faultsOf(schema: Schema, value: unknown): string | null {
    const validate = validatorOf(schema);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  }

  return {
    operations,
    responses: operations.flatMap((operation) =>
      Object.keys(operation.responses).map((status) => ({ operation, status: Number(status) })),
    ),
    schemasOfAnswers: operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.values(content).map(({ schema }) => schema),
      ),
    ),
    faultsOf,
    bodySchemaOf: (operation: DocumentedOperation) =>
      operation.requestBody?.content["application/json"]?.schema,

    /** Fails unless status, headers, content type and every field of the answer are documented. */
    check(operation: DocumentedOperation, { status, headers, text, json }: Answer): void {
      const response = operation.responses[status];
      if (!response) throw new Error(`${operation.operationId} answered ${status}, which is not documented`);
      for (const [name, { $ref }] of Object.entries(response.headers ?? {})) {
        const header = document.components.headers[$ref.split("/").at(-1) as string];
        if (!header) throw new Error(`${$ref} is not in the document`);
        const field = headers.get(name);
        if (header.required) expect(field, name).not.toBeNull();
        else if (field === null) continue;
        const value = header.schema["type"] === "integer" ? Number(field) : field;
        expect(faultsOf(header.schema, value), name).toBeNull();
      }
      if (!response.content) return expect(text).toBe("");
      const type = headers.get("content-type")?.split(";")[0] ?? "";
      expect(Object.keys(response.content)).toContain(type);
      expect(faultsOf(response.content[type]?.schema as Schema, json === undefined ? text : json)).toBeNull();
    },
  };
}

/**
 * The document with closed objects, so that a field which is not documented fails its schema, and with the other
 * spellings of fields that answers have too.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const schema = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, closed(inner)]),
  ) as Schema;
  const { properties } = schema;
  if (schema["type"] !== "object" || properties === undefined) return schema;
  const aliases = Object.entries((schema["x-aliases"] ?? {}) as Record<string, string>);
  const others = aliases.map(([alias, name]): [string, Schema] => [alias, properties[name] ?? {}]);
  return {
    additionalProperties: false,
    ...schema,
    properties: { ...properties, ...Object.fromEntries(others) },
    required: [
      ...((schema["required"] as string[]) ?? []),
      ...(schema["required"] ? requiredAliases(schema, aliases) : []),
    ],
  };
}

/** An answer has a field in all its spellings. */
const requiredAliases = (schema: Schema, aliases: [string, string][]): string[] =>
  aliases.filter(([, name]) => (schema["required"] as string[]).includes(name)).map(([alias]) => alias);

/** Compiles schemas of the document, which has been added to `ajv` as `document`. Those that read the same are compiled once. */
export function validatorsOf(ajv: Ajv2020): (schema: Schema) => ValidateFunction {
  const known = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const validate = known.get(text) ?? ajv.compile(withBase(schema) as Schema);
    known.set(text, validate);
    return validate;
  };
}

/** The schema with references into `document` */
function withBase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? `document${inner}` : withBase(inner),
    ]),
  );
}

/** A schema and every schema inside it */
export function* walk(schema: unknown): Generator<Schema> {
  if (typeof schema !== "object" || schema === null) return;
  if (!Array.isArray(schema)) yield schema as Schema;
  for (const inner of Object.values(schema)) yield* walk(inner);
}
