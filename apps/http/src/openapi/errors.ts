import { issueCodes } from "@terse/core";
import { problemType } from "@terse/server";
import type { Operation } from "../operations.ts";
import { envelope } from "./envelope.ts";
import { type Json, json } from "./json.ts";

/** Why operations answer with an error status. */
export const reasons: Readonly<Record<number, string>> = {
  400: "The input is invalid; `error` names the field",
  401: "The credential is missing or invalid",
  403: "The plan or the API key does not include this, the account is suspended or being deleted, the operator disabled the link, the sign-in is too old, or a request with the session cookie came from another site",
  404: "The account has no such resource",
  405: "The address takes other methods, which Allow lists",
  409: "A request with this Idempotency-Key is still in progress, the slug is taken, another account has verified the domain, the key was replaced already, or this is the only way to sign in",
  412: "The link has changed since the version named in If-Match",
  413: "The body is too large",
  415: "The body is not application/json",
  422: "This Idempotency-Key was used for a different request",
  429: "Rate limit exceeded; Retry-After says when to try again",
  500: "Internal error",
  503: "Too many requests at once, or the database is unreachable; Retry-After says when to try again",
};

/** Why an operation answers with a status. */
export function reasonOf({ meta: { openapi } }: Operation, status: number): string | undefined {
  const { file } = openapi;
  if (file && status === 413) return `The body is over ${file.maxBytes} bytes`;
  if (file && status === 415) return `The body is not ${file.types.join(", ")}`;
  return reasons[status];
}

/** The error statuses of an operation: those that follow from its access and input, and those listed in its meta. */
export function errorStatuses({
  method,
  meta,
  inputFields,
  pathParams,
  refusesUnknown,
}: Operation): number[] {
  const takesFields = Object.keys(inputFields).length > pathParams.length;
  const takesBody = takesFields && method !== "GET" && method !== "DELETE";
  return [
    ...(takesFields || refusesUnknown ? [400] : []),
    401,
    403,
    ...(meta.openapi.hasETag && method !== "GET" ? [412] : []),
    ...(takesBody ? [413, 415] : []),
    ...(method === "POST" ? [409, 422] : []),
    ...(meta.openapi.errors ?? []),
    500,
    503,
  ]
    .toSorted((a, b) => a - b)
    .filter((status, at, all) => status !== all[at - 1]);
}

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** The body of every error answer: the envelope, or problem details for who asks for them. */
export const errorContent: Json = { ...json(ref("Error")), [problemType]: { schema: ref("Problem") } };

const exampleIssue = {
  path: ["url"],
  code: "required",
  message: "is required (expected string)",
  params: { expected: "string" },
};

const textOrNumber = [{ type: "string" }, { type: "number" }];

/** The schemas that it refers to. */
export const errorSchemas: Readonly<Record<string, Json>> = {
  Error: envelope(
    { type: "null" },
    {
      type: "string",
      description: "One sentence that names the field and the fix",
      examples: ["url: is required (expected string)"],
    },
    { type: "null" },
  ),
  Problem: {
    type: "object",
    description: "An error for clients that accept `application/problem+json` (RFC 9457)",
    properties: {
      type: { type: "string", format: "uri", description: "The page about errors, at this status" },
      title: { type: "string", description: "Name of the status" },
      status: { type: "integer", description: "HTTP status" },
      detail: { type: "string", description: "One sentence that names the field and the fix" },
      instance: { type: "string", format: "uri-reference", description: "The request, by its id" },
      issues: { type: "array", items: ref("Issue"), description: "Everything that is wrong" },
    },
    required: ["type", "title", "status", "detail", "instance", "issues"],
    examples: [
      {
        type: "https://terse.example/docs/errors#400",
        title: "Bad Request",
        status: 400,
        detail: "url: is required (expected string)",
        instance: "urn:uuid:0197a2b0-1234-4abc-8def-0123456789ab",
        issues: [exampleIssue],
      },
    ],
  },
  Issue: {
    type: "object",
    description: "One thing that is wrong with a request",
    properties: {
      path: {
        type: "array",
        items: { anyOf: textOrNumber },
        description: "Where in the input; empty for the whole request",
      },
      code: { ...ref("IssueCode"), description: "What is wrong" },
      message: { type: "string", description: "The same in English, to be read after the field's name" },
      params: {
        type: "object",
        additionalProperties: {
          anyOf: [...textOrNumber, { type: "boolean" }, { type: "array", items: { anyOf: textOrNumber } }],
        },
        description: "The details of the code",
      },
    },
    required: ["path", "code", "message"],
    examples: [exampleIssue],
  },
  IssueCode: {
    type: "string",
    enum: issueCodes,
    description: "`/docs/errors` explains each code",
  },
};
