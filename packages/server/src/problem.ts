import { STATUS_CODES } from "node:http";
import type { Issue } from "@terse/core/redirect";
import { weightsOf } from "./accept.ts";

/** The media type of problem details */
export const problemType = "application/problem+json";

/** An error as RFC 9457 describes it, with what is wrong as data. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  issues: readonly Issue[];
}

/**
 * Whether a client that sends this Accept header wants problem details: it names them, and does not prefer other JSON to them
 * (RFC 9110 section 12.5.1).
 */
export function wantsProblem(accept: string | undefined): boolean {
  const weights = weightsOf(accept);
  const problem = weights.get(problemType) ?? 0;
  const json = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0;
  return problem > 0 && problem >= json;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `errorsUrl` is the page that explains statuses; the instance is the request's id. */
export const problemOf = (
  { status, message, issues }: { status: number; message: string; issues: readonly Issue[] },
  requestId: string,
  errorsUrl?: string,
): Problem => ({
  type: errorsUrl === undefined ? "about:blank" : `${errorsUrl}#${status}`,
  title: STATUS_CODES[status] ?? "Error",
  status,
  detail: message,
  instance: uuid.test(requestId) ? `urn:uuid:${requestId}` : `#${requestId}`,
  issues,
});
