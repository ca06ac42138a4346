import { expect } from "vitest";
import type { Answer } from "./client.ts";

/** Internals that no client may see: stack traces, files, SQL, messages of the validator and the database */
const inside =
  /\bat .+:\d+:\d+|node_modules|node:|\/work\/|\.[tj]s\b|insert into|update "|select |\brelation "|violates|invalid byte|SyntaxError|TypeError|ZodError|Unexpected |Cannot read|undefined|\[object|invalid_type|too_big|"path":|postgres/i;

/** Fails unless an answer under /v1 is a 4xx whose envelope holds one plain sentence and nothing else. */
export function expectRefusal(answer: Answer, status?: number): void {
  expectClean(answer);
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  if (status !== undefined) expect(answer.status, answer.text).toBe(status);
  const { error } = answer.json as { error: string };
  expect(answer.json).toStrictEqual({ data: null, error: expect.any(String), meta: null });
  expect(error.length, error).toBeLessThan(400);
  expect(error).not.toMatch(/[\n\u0000]/);
  expect(error).not.toMatch(inside);
}

/** Fails for a 5xx, and for an answer under /v1 without the envelope. */
function expectClean({ status, headers, text, json }: Answer): void {
  expect(status, text).toBeLessThan(500);
  expect(headers.get("x-request-id")).toMatch(/^[\w.-]{1,128}$/);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(Object.keys(json as object)).toEqual(["data", "error", "meta"]);
}

/** The same for a refusal in tRPC's envelope. */
export function expectTrpcRefusal({ status, headers, text, json }: Answer, expected?: number): void {
  expect(status, text).toBeLessThan(500);
  if (expected !== undefined) expect(status, text).toBe(expected);
  expect(headers.get("x-request-id")).toMatch(/^[\w.-]{1,128}$/);
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toBe("no-store");
  expectTrpcError(json, status);
}

export function expectTrpcError(json: unknown, status: number): void {
  expect(json).toStrictEqual({
    error: {
      message: expect.any(String),
      code: expect.any(Number),
      data: {
        code: expect.any(String),
        httpStatus: status,
        issues: expect.any(Array),
        ...pathOf(json),
      },
    },
  });
  const { message } = (json as { error: { message: string } }).error;
  expect(message).not.toMatch(inside);
  expect(message.length).toBeLessThan(400);
}

/** tRPC names the procedure if it has found it. */
const pathOf = (json: unknown) =>
  "path" in (json as { error: { data: object } }).error.data ? { path: expect.any(String) as string } : {};
