import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Arguments } from "./schemas.ts";
import type { Tool } from "./tool.ts";

type Json = z.core.JSONSchema.BaseSchema;

/**
 * The schemas of a tool as they are listed, for the SDK. They accept everything: `callTool` validates with our messages, and a
 * procedure parses its input itself, so the input must not be parsed before.
 */
export function listedSchemas(tool: Tool): Listed {
  const known = converted.get(tool);
  if (known) return known;
  const arguments_ = inputSchemaOf(tool);
  const schemas = {
    arguments: arguments_,
    input: accepting(arguments_),
    output: accepting(outputSchemaOf(tool)),
  };
  converted.set(tool, schemas);
  return schemas;
}
type Accepting = StandardSchemaWithJSON<Arguments>;
interface Listed {
  arguments: Json;
  input: Accepting;
  output: Accepting;
}

/** Converted once, because a server is created for every request. */
const converted = new WeakMap<Tool, Listed>();

/** Converts schemas, without the names of OpenAPI's components: clients get whole schemas, without references. */
const withoutIds = new (class extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType) {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  }
})();
const conversion = { metadata: withoutIds, unrepresentable: "any" } as const;

/**
 * No argument is null: fields are left out, and `clear` removes the fields of a link. An assistant reads the schemas of all tools
 * before each conversation, so they say what it needs to write a call: names, types, choices, and a description of each argument.
 * Lengths, ranges and formats are not listed: an error says what is wrong with a value. The keywords that are left are known to
 * the function declarations of all large providers.
 */
function inputSchemaOf({ input, words, describesMembers }: Tool): Json {
  const { properties = {}, required } = z.toJSONSchema(input, { ...conversion, io: "input" });
  const described = Object.entries(properties).map(([name, schema]) => {
    const type = plain(schema as Json, {
      nulls: false,
      choices: true,
      required: false,
      descriptions: describesMembers,
    });
    return [name, { ...type, description: words[name] }];
  });
  return {
    type: "object",
    properties: Object.fromEntries(described),
    ...(required?.length && { required }),
    additionalProperties: false,
  };
}

/**
 * Names and types of fields and of what they consist of, and no promise that answers never gain a field. None is required: a failure has
 * `issues` only, and clients up to revision 2025-11-25 hold failures against this schema, too.
 */
function outputSchemaOf({ output }: Tool): Json {
  const whole = z.toJSONSchema(output.extend({ note: z.string().optional() }), {
    ...conversion,
    io: "output",
  });
  const kept = { nulls: true, choices: false, required: true, descriptions: false };
  const { required: _, ...listed } = plain(whole, kept, 2);
  return listed;
}

/** How many choices of an argument are listed; an error lists more. */
const maxChoices = 6;

/** Which parts of a schema are listed. Fields that are needed within an argument are not: an error names them. */
interface Kept {
  /** False within objects that are not described: an error lists their choices */
  enums?: boolean;
  nulls: boolean;
  choices: boolean;
  required: boolean;
  descriptions: boolean;
}

/** A schema without references, unions and constraints, and without anything nested deeper than `depth`. */
function plain(schema: Json, kept: Kept, depth = 10): Json {
  const either = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as Json[];
  const described =
    kept.descriptions && schema.description ? { description: withoutNull(schema.description) } : {};
  if (either.length > 0) return { ...oneOfEither(either, kept, depth), ...described };
  const type = typeOf(schema, kept);
  const choices =
    kept.choices &&
    kept.enums !== false &&
    (schema.enum?.length ?? 0) <= maxChoices &&
    schema.enum?.every((value) => typeof value === "string");
  return {
    ...(type !== undefined && { type: type as never }),
    ...(choices && { enum: schema.enum }),
    ...(schema.items && { items: plain(schema.items as Json, kept, depth) }),
    ...(schema.properties &&
      depth > 0 && {
        properties: Object.fromEntries(
          Object.entries(schema.properties).map(([name, field]) => [
            name,
            plain(field as Json, kept.descriptions ? kept : { ...kept, enums: false }, depth - 1),
          ]),
        ),
        ...(kept.required && schema.required?.length && { required: schema.required }),
      }),
    ...described,
  };
}

/**
 * Of a single value or a list of them, the list; of constants, their type; of anything and null, the type and null. An argument of
 * several types is listed with the first.
 */
function oneOfEither(either: Json[], kept: Kept, depth: number): Json {
  const rest = either.filter(({ type }) => type !== "null");
  const list = kept.choices ? rest.find(({ type }) => type === "array") : undefined;
  const [first = {}, ...others] = rest.map((each) => plain(each, kept, depth));
  const isOne = kept.choices || others.every(({ type }) => type === first.type && type !== "object");
  const one = list ? plain(list, kept, depth) : isOne ? first : {};
  const isNullable = kept.nulls && rest.length < either.length && typeof one.type === "string" && !one.enum;
  return isNullable ? { ...one, type: [one.type, "null"] as never } : one;
}

/** The type of a schema; numeric constants are integers, because some providers know enumerations of strings only. */
function typeOf({ type, const: constant, enum: choices }: Json, { nulls }: Kept): unknown {
  if ([constant, ...(choices ?? [])].some((value) => typeof value === "number")) return "integer";
  if (!Array.isArray(type)) return type;
  const types = (type as string[]).filter((each) => nulls || each !== "null");
  return types.length > 1 ? types : types[0];
}

/** What REST does with null is no concern of a tool. */
const withoutNull = (description: string) => description.replace(/[;,.:]? null(?: or | for |: )[^.;]*/, "");

const accepting = (json: Json): Accepting => ({
  "~standard": {
    version: 1,
    vendor: "terse",
    validate: (value) => ({ value: value as Arguments }),
    jsonSchema: { input: () => json, output: () => json },
  },
});
