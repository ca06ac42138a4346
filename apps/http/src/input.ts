import { AppError } from "@terse/core";
import { isForm, readBody } from "@terse/server";
import type { Context } from "hono";
import type { Operation } from "./operations.ts";

/**
 * Builds the input of an operation from the path, the query string and the JSON body. Procedures read it after they have
 * checked the caller, so a 400 never reveals what a 401 would hide.
 */
export async function readInput(c: Context, operation: Operation): Promise<unknown> {
  if (!operation.takesInput) return undefined;
  const path = Object.fromEntries(operation.pathParams.map((name) => [name, c.req.param(name)]));
  if (operation.method === "GET" || operation.method === "DELETE") {
    const query = new URL(c.req.url).searchParams;
    return { ...(operation.paged && unknownIn(query, operation)), ...readQuery(query, operation), ...path };
  }
  // Without fields of its own an operation has no body: none is documented, and none is read.
  if (Object.keys(operation.inputFields).length === operation.pathParams.length) return path;
  const body = await readJsonBody(c.req.raw, operation.meta.openapi.maxBodyBytes);
  if (body === undefined && operation.pathParams.length === 0) return undefined;
  return { ...body, ...path };
}

/**
 * Query strings carry text: numbers and booleans are converted only if the schema has such a type. A parameter is repeated
 * for each element of an array.
 */
function readQuery(query: URLSearchParams, { inputFields, pathParams }: Operation): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(inputFields)) {
    if (pathParams.includes(name)) continue;
    const texts = query.getAll(name);
    const [text, ...more] = texts;
    if (text === undefined) continue;
    if (schema.type === "array") {
      const { type } = schema.items as { type?: unknown };
      input[name] = texts.map((each) => convert(each, type));
      continue;
    }
    if (more.length > 0) throw new AppError("BAD_REQUEST", `${name} must be given once`);
    input[name] = convert(text, schema.type);
  }
  return input;
}

/** Parameters that a list does not have; its schema refuses them, because an ignored filter would show too many items. */
const unknownIn = (query: URLSearchParams, { inputFields }: Operation) =>
  Object.fromEntries(Array.from(query).filter(([name]) => !Object.hasOwn(inputFields, name)));

/** Returns text of another type unchanged; the schema then rejects it with its own message. */
function convert(text: string, type: unknown): unknown {
  if ((type === "integer" || type === "number") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

async function readJsonBody(
  request: Request,
  maxBytes: number | undefined,
): Promise<Record<string, unknown> | undefined> {
  const bytes = await readBody(request, maxBytes).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    throw new AppError("BAD_REQUEST", "The body was cut off", { cause: error });
  });
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json");
  }
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new AppError(
      "UNSUPPORTED_MEDIA_TYPE",
      "Content-Encoding is not supported; send the body uncompressed",
    );
  }
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
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new AppError("BAD_REQUEST", "The body must be valid JSON in UTF-8");
  }
}
