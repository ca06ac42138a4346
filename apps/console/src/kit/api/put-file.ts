import type { Issue } from "@terse/core/browser";
import { fetchAnswer } from "./fetch.ts";

/** Sends a file as the body of a request. If it is refused, throws an error with the issues, as calls of procedures do. */
export async function putFile(path: string, file: Blob): Promise<void> {
  const response = await fetchAnswer(path, {
    method: "PUT",
    headers: { Accept: "application/problem+json" },
    body: file,
  });
  if (response.ok) return;
  const { detail, issues } = (await response.json()) as { detail: string; issues: Issue[] };
  throw Object.assign(new Error(detail), { data: { issues } });
}
