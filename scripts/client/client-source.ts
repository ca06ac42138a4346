import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { statusByCode } from "@terse/core";
import { type Operation, withoutComponents } from "@terse/http";
import type { Schema } from "./schema.ts";
import { comment, pascal, SchemaTypes } from "./schema-types.ts";
import { sharedFieldsOf } from "./shared-fields.ts";

interface Described {
  summary: string;
  description: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Description {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

/** What a file can be given as. */
const fileType = "string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>";

/**
 * The generated files of @terse/client: the types of all operations, under the names of their procedures, the table of their
 * methods and paths, and the codes of errors.
 */
export function clientSource(operations: readonly Operation[], description: object): Record<string, string> {
  const { paths, components } = withoutComponents(description) as Description;
  const described = (operation: Operation) =>
    paths[operation.path]?.[operation.method.toLowerCase()] as Described;
  const all = operations.map((operation) => {
    const source = described(operation);
    return { operation, source, input: inputOf(operation, source), outputs: outputsOf(operation, source) };
  });
  const { Error: _, Problem: __, ...named } = components.schemas;
  const resources = new Map(Object.entries(named));
  const inputs = all.flatMap(({ operation, input }) =>
    input ? [[`${pascal(operation.name)}Input`, input] as const] : [],
  );
  const types = new SchemaTypes(sharedFieldsOf(resources, new Map([...resources, ...inputs])));
  for (const schema of resources.values()) types.count(schema);
  for (const { input, outputs } of all) for (const each of [input, ...outputs]) if (each) types.count(each);

  for (const [name, schema] of resources) types.declare(name, schema);
  const groups = new Map<string, string[]>();
  for (const { operation, source, input, outputs } of all) {
    const [group = "", name = ""] = operation.name.split(".");
    const typeName = pascal(operation.name);
    const isRequired = input?.required?.length !== 0 || source.requestBody?.required;
    const parameter = input && `input${isRequired ? "" : "?"}: ${types.declare(`${typeName}Input`, input)}`;
    const text = [source.summary, source.description].filter(Boolean).join(". ");
    const members = groups.get(group) ?? [];
    groups.set(group, members);
    members.push(
      `${comment(text)}${name}(${[parameter, "options?: CallOptions"].filter(Boolean).join(", ")}): ${resultOf(operation, outputs, typeName, types)};\n`,
    );
  }
  const api = [...groups].map(([group, members]) => `${group}: {\n${members.join("")}};\n`);
  const table = all.map(({ operation, input }) => endpointOf(operation, input !== undefined));
  const codes = Object.entries(statusByCode).map(([code, status]) => `${status}: "${code}",`);
  const declarations = [...types.declarations.values()].join("\n\n");
  return {
    "packages/client/src/generated/api.ts": formatted(
      `${head}import type { Call, CallOptions, FileCall, Pages } from "../calls.ts";\n\n/** Every operation of the service, under the name of its procedure. */\nexport interface Operations {\n${api.join("\n")}}\n\n${declarations}\n`,
    ),
    "packages/client/src/generated/codes.ts": formatted(
      `${head}/** Error codes by HTTP status. */\nexport const codes = {\n${codes.join("\n")}\n} as const;\n`,
    ),
    "packages/client/src/generated/endpoints.ts": formatted(
      `${head}/** Name, method, path below /v1/, and what is special: the answer is one of \`pages\` or a \`file\`, a field is the \`body\`, \`none\` is taken. */\nexport const endpoints = \`\n${table.join("\n")}\n\`;\n`,
    ),
  };
}

const head = "// Written by `npm run docs`; do not edit.\n\n";

function endpointOf({ name, method, path, paged, file, meta }: Operation, takesInput: boolean): string {
  const body = meta.openapi.file && `body:${meta.openapi.file.field}`;
  const flags = [paged && "pages", file && "file", body, !takesInput && "none"];
  return [name, method, path.replace("/v1/", ""), ...flags].filter(Boolean).join(" ");
}

/** One object with everything that a call takes: path, query and body. */
function inputOf(
  { meta, pathParams }: Operation,
  { parameters = [], requestBody }: Described,
): Schema | undefined {
  // With `format`, the operation would answer as another one does, which the client has, too.
  const isOfFile = (name: string) => name === "format" && meta.openapi.fileAt !== undefined;
  const fields = parameters.filter((each) => each.in !== "header" && !isOfFile(each.name));
  const properties: Record<string, Schema> = Object.fromEntries(
    fields.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
  );
  const required = fields.filter((each) => each.required).map(({ name }) => name);
  const { file } = meta.openapi;
  const body = requestBody?.content["application/json"]?.schema;
  if (file) {
    properties[file.field] = { $ref: fileType, description: `The file: ${file.types.join(", ")}` };
    required.push(file.field);
  } else if (body?.properties) {
    const others = Object.entries(body.properties).filter(
      ([name, { readOnly }]) => !pathParams.includes(name) && readOnly !== true,
    );
    Object.assign(properties, Object.fromEntries(others));
    required.push(...(body.required ?? []));
  }
  return Object.keys(properties).length === 0 ? undefined : { type: "object", properties, required };
}

/** The schemas of an operation's data; none if its answer is a file. */
function outputsOf({ file }: Operation, { responses }: Described): Schema[] {
  if (file) return [];
  return ["200", "201", "202"].flatMap((status) => {
    const described = responses[status]?.content?.["application/json"]?.schema;
    const schema = described?.anyOf?.[0] ?? described;
    return schema?.properties?.["data"] ? [schema.properties["data"]] : [];
  });
}

function resultOf(
  operation: Operation,
  outputs: readonly Schema[],
  typeName: string,
  types: SchemaTypes,
): string {
  if (operation.file) return "FileCall";
  const data = outputs
    .flatMap((schema) => schema.anyOf ?? [schema])
    .map((schema) =>
      schema.type === "object" && schema.properties
        ? types.declare(`${typeName}Output`, schema)
        : types.typeOf(schema, typeName, typeName),
    );
  if (!operation.paged) return `Call<${data.join(" | ")}>`;
  return `Pages<${types.typeOf(outputs[0]?.items ?? {}, `${typeName}Item`, typeName)}>`;
}

function formatted(source: string): string {
  const root = join(import.meta.dirname, "../..");
  const { stdout, stderr, status } = spawnSync("biome", ["format", "--stdin-file-path=source.ts"], {
    cwd: root,
    input: source,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
