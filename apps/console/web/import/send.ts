import type { AppRouter } from "@terse/core";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import { statusOf } from "../api.ts";
import { fetchAnswer } from "../fetch.ts";
import type { SentLink as Sent } from "@terse/core/browser";
import { randomId } from "../ui/random-id.ts";

/** Many links make a body that is too large for a batch of calls. */
const bulkClient = createTRPCClient<AppRouter>({
  links: [
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

/** The links from `start` on that fit into one request; the same ones each time. */
export function chunkAt(links: readonly Sent[], start: number): Sent[] {
  let end = start;
  let length = 0;
  while (end < links.length && end - start < maxLinks) {
    length += JSON.stringify(links[end]).length;
    if (length > maxLength && end > start) break;
    end += 1;
  }
  return links.slice(start, end);
}

export const check = (links: Sent[], signal: AbortSignal): Promise<Answer> =>
  bulkClient.links.bulkCreate.mutate({ links, on_error: "continue", dry_run: true }, { signal });

/** `key` is the same for the same links, so that a request whose answer was lost creates nothing twice. */
export const create = (links: Sent[], key: string): Promise<Answer> =>
  bulkClient.links.bulkCreate.mutate({ links, on_error: "continue" }, { context: { key } });

/** Starts an import that goes on without this page. Throws what the service refuses. */
export async function startImport(file: Blob, domain: string | null): Promise<void> {
  const query = domain === null ? "" : `?domain=${encodeURIComponent(domain)}`;
  const headers = { "Content-Type": file.type, "Idempotency-Key": randomId() };
  const response = await fetchAnswer(`/v1/imports${query}`, { method: "POST", headers, body: file });
  const { error } = (await response.json()) as { error: string };
  if (!response.ok) throw new Error(error);
}

/** Seconds after which a request that failed may be sent again; null if that would not help. */
export function retryAfter(error: unknown): number | null {
  const status = statusOf(error);
  const response = error instanceof TRPCClientError ? error.meta?.["response"] : undefined;
  const seconds = Number(response instanceof Response ? response.headers.get("retry-after") : null);
  if (status === null) return seconds || 3;
  return [409, 429, 503].includes(status) ? seconds || 3 : null;
}
