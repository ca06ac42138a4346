import { AppError, issue } from "@terse/core";
import { decodeFile } from "@terse/importers";
import { requestFlags } from "@terse/core/redirect";
import { bodyRoom, type HeldBody, isForm, readBody } from "@terse/server";
import type { Context } from "hono";
import { workspaceQuery } from "./credentials.ts";
import type { Operation } from "./operations.ts";

/** Two of the largest files of an account, and seven of all accounts */
export const largeBodies = bodyRoom({ account: 42 * 1024 * 1024, process: 147 * 1024 * 1024 });

/**
 * Builds the input of an operation from the path, the query string and the JSON body. Procedures read it after they have
 * checked the caller, so a 400 never reveals what a 401 would hide.
 */
export async function readInput(c: Context, operation: Operation, held?: HeldBody): Promise<unknown> {
  if (!operation.takesInput) return undefined;
  const path = Object.fromEntries(operation.pathParams.map((name) => [name, c.req.param(name)]));
  if (operation.method === "GET" || operation.method === "DELETE") {
    return { ...readQuery(new URL(c.req.url).searchParams, operation), ...path };
  }
  // Without fields of its own an operation has no body: none is documented, and none is read.
  if (Object.keys(operation.inputFields).length === operation.pathParams.length) return path;
  const { file } = operation.meta.openapi;
  if (file) {
    const query = readQuery(new URL(c.req.url).searchParams, { ...operation, refusesUnknown: false });
    return { ...query, ...path, [file.field]: await readFileBody(c.req.raw, file, held) };
  }
  const body = await readJsonBody(c.req.raw, operation.meta.openapi.maxBodyBytes, held);
  if (body === undefined && operation.pathParams.length === 0) return undefined;
  return { ...body, ...path };
}

/**
 * Query strings carry text: numbers and booleans are converted only if the schema has such a type. A field that takes a
 * list is repeated. Unknown names are left out, unless the schema refuses them.
 */
function readQuery(
  query: URLSearchParams,
  { inputFields, pathParams, refusesUnknown }: Operation,
): Record<string, unknown> {
  const input: [name: string, value: unknown][] = [];
  for (const name of new Set(query.keys())) {
    if (name === workspaceQuery) continue;
    const schema = Object.hasOwn(inputFields, name) ? inputFields[name] : undefined;
    if (!pathParams.includes(name) && (schema || refusesUnknown))
      input.push([name, valueOf(name, query.getAll(name), schema ?? {})]);
  }
  return Object.fromEntries(input);
}

type FieldSchema = Operation["inputFields"][string];

function valueOf(name: string, texts: readonly string[], { type, items, anyOf }: FieldSchema): unknown {
  if (type === "array") {
    const { type: of } = items as { type?: unknown };
    return texts.map((each) => convert(each, of));
  }
  const [text = "", ...more] = texts;
  if (more.length === 0) return convert(text, type);
  if (anyOf?.some((one) => one.type === "array")) return texts;
  throw new AppError("BAD_REQUEST", issue([name], "too_many", "must be given once", { max: 1 }));
}

/** Returns text of another type unchanged; the schema then rejects it with its own message. */
function convert(text: string, type: unknown): unknown {
  if ((type === "integer" || type === "number") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Returns a file as procedures take it from every transport: text as it is, other files in Base64. */
async function readFileBody(
  request: Request,
  { types, field, maxBytes, isText }: FileBody,
  held: HeldBody | undefined,
): Promise<string> {
  const bytes = await readBytes(request, maxBytes, held);
  requireType(request, types);
  if (!isText) return Buffer.from(bytes).toString("base64");
  const decoded = decodeFile(bytes);
  if ("refusal" in decoded) throw new AppError("BAD_REQUEST", issue(field, "invalid", decoded.refusal));
  return decoded.text;
}
type FileBody = NonNullable<Operation["meta"]["openapi"]["file"]>;

/** Refuses (415) other media types, and compressed bodies. */
function requireType(request: Request, types: readonly string[]): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!types.includes(type)) {
    const wanted = new Intl.ListFormat("en", { type: "disjunction" }).format(types);
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", `Content-Type must be ${wanted}`);
  }
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new AppError(
      "UNSUPPORTED_MEDIA_TYPE",
      "Content-Encoding is not supported; send the body uncompressed",
    );
  }
}

const readBytes = (request: Request, maxBytes: number | undefined, held: HeldBody | undefined) =>
  readBody(request, maxBytes, held).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    throw new AppError("BAD_REQUEST", "The body was cut off", { cause: error });
  });

/** Reads a JSON object; undefined without a body. */
export async function readJsonBody(
  request: Request,
  maxBytes?: number,
  held?: HeldBody,
): Promise<Record<string, unknown> | undefined> {
  const bytes = await readBytes(request, maxBytes, held);
  if (bytes.length === 0) return undefined;
  requireType(request, ["application/json"]);
  const body = parseJson(bytes);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("BAD_REQUEST", "The body must be a JSON object");
  }
  return body as Record<string, unknown>;
}

/** Reads the fields of a submitted HTML form. */
export async function readForm(c: Context): Promise<URLSearchParams> {
  if (!isForm(c.req.header("content-type"))) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/x-www-form-urlencoded");
  }
  return new URLSearchParams(new TextDecoder().decode(await readBody(c.req.raw)));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new AppError("BAD_REQUEST", "The body must be valid JSON in UTF-8");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Whether a request only looks: HEAD, or a prefetch, whose answer may never be seen. */
export const isPrefetch = (c: Context): boolean =>
  requestFlags(c.req.method, (name) => c.req.header(name)) !== 0;
