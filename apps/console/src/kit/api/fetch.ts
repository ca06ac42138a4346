import type { Issue } from "@terse/core/browser";
import { stringsNow } from "../../words/strings.tsx";
import { sentenceOfAll } from "../sentences.ts";
import { workspace } from "./workspace.ts";

/** `fetch` in the workspace of this page, whose error says in the user's language that no answer came, instead of in the browser's own words. */
export async function fetchAnswer(url: RequestInfo | URL, options?: RequestInit): Promise<Response> {
  const headers = new Headers(options?.headers);
  if (workspace !== null && !headers.has("Terse-Workspace")) headers.set("Terse-Workspace", workspace);
  try {
    return await fetch(url, { ...options, headers });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // the request was taken back
    throw new TypeError(stringsNow().errors.unreachable, { cause: error });
  }
}

/** A refusal by REST, with the issues where errors of procedures have them. */
export interface Refusal extends Error {
  status: number;
  data: { issues: readonly Issue[] };
}

/** A request to REST, for what procedures cannot do. Throws why it was refused, in the user's language (RFC 9457). */
export async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set("Accept", "application/problem+json, */*");
  const response = await fetchAnswer(path, { ...options, headers });
  if (response.ok) return response;
  const { status, statusText } = response;
  const problem = (await response.json().catch(() => ({}))) as { detail?: string; issues?: Issue[] };
  const { detail = `${status} ${statusText}`, issues = [] } = problem;
  const refusal = new Error(sentenceOfAll(issues, stringsNow()) ?? detail);
  throw Object.assign(refusal, { status, data: { issues } }) satisfies Refusal;
}
