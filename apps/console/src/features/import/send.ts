import type { AppRouter } from "@terse/core";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import { inViewersLanguage, statusOf } from "../../kit/api/api.ts";
import { ask, fetchAnswer } from "../../kit/api/fetch.ts";
import { randomId } from "../../kit/format/random-id.ts";
import type { ImportRow } from "./job.ts";

/** Many links make a body that is too large for a batch of calls. */
const bulkClient = createTRPCClient<AppRouter>({
  links: [
    inViewersLanguage,
    httpLink({
      url: "/trpc",
      fetch: (url, options) => fetchAnswer(url, options as RequestInit),
      headers: ({ op }) =>
        typeof op.context["key"] === "string" ? { "Idempotency-Key": op.context["key"] } : {},
    }),
  ],
});

export type Answer = Awaited<ReturnType<typeof bulkClient.links.bulkCreate.mutate>>;

/** Links and characters of one request, well below what the service takes */
const maxLinks = 1000;
const maxLength = 1_500_000;

/** The rows from `start` on whose links fit into one request; the same ones each time. */
export function chunkAt(rows: readonly ImportRow[], start: number): ImportRow[] {
  let end = start;
  let length = 0;
  while (end < rows.length && end - start < maxLinks) {
    length += JSON.stringify(rows[end]?.link).length;
    if (length > maxLength && end > start) break;
    end += 1;
  }
  return rows.slice(start, end);
}

type Links = Parameters<typeof bulkClient.links.bulkCreate.mutate>[0]["links"];
const linksOf = (rows: readonly ImportRow[]) => rows.map(({ link }) => link) as Links;

export const check = (rows: readonly ImportRow[], signal: AbortSignal): Promise<Answer> =>
  bulkClient.links.bulkCreate.mutate(
    { links: linksOf(rows), on_error: "continue", dry_run: true },
    { signal },
  );

/** `key` is the same for the same links, so that a request whose answer was lost creates nothing twice. */
export const create = (rows: readonly ImportRow[], key: string): Promise<Answer> =>
  bulkClient.links.bulkCreate.mutate({ links: linksOf(rows), on_error: "continue" }, { context: { key } });

/** Starts an import that goes on without this page. Throws what the service refuses. */
export async function startImport({
  file,
  columns,
  domain,
}: {
  file: Blob;
  columns: readonly string[] | null;
  domain: string;
}): Promise<void> {
  const query = new URLSearchParams(domain ? { domain } : {});
  for (const column of columns ?? []) query.append("columns", column);
  const headers = { "Content-Type": file.type, "Idempotency-Key": randomId() };
  await ask(`/v1/imports?${query}`, { method: "POST", headers, body: file });
}

/** Seconds after which a request that failed may be sent again; null if that would not help. */
export function retryAfter(error: unknown): number | null {
  const status = statusOf(error);
  const response = error instanceof TRPCClientError ? error.meta?.["response"] : undefined;
  const seconds = Number(response instanceof Response ? response.headers.get("retry-after") : null);
  if (status === null) return seconds || 3;
  return [409, 429, 503].includes(status) ? seconds || 3 : null;
}
