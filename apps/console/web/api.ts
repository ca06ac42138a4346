import { hashKey, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import type { AppRouter } from "@terse/core";
import { createTRPCClient, httpBatchLink, TRPCClientError } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";

/** Calls procedures directly, where a query needs more than the options of `api`. */
export const client = createTRPCClient<AppRouter>({
  // The server takes at most four lists or reports a batch.
  links: [httpBatchLink({ url: "/trpc", maxItems: 4 })],
});

/** The HTTP status of a failed call; null if no answer came. */
export const statusOf = (error: unknown): number | null =>
  error instanceof TRPCClientError
    ? ((error.data as { httpStatus?: number } | null)?.httpStatus ?? null)
    : null;

/** The id under which the service logged a failure of its own; null for any other error. */
export function requestIdOf(error: unknown): string | null {
  if (!(error instanceof TRPCClientError) || (statusOf(error) ?? 0) < 500) return null;
  const { response } = (error.meta ?? {}) as { response?: Response };
  return response?.headers.get("x-request-id") ?? null;
}

/** A session that has ended ends for every screen: asking for the user again shows the sign-in page. */
function onError(error: unknown): void {
  if (statusOf(error) === 401) void queryClient.refetchQueries(api.users.me.queryFilter());
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryHash }) => {
      if (queryHash !== hashKey(api.users.me.queryKey())) onError(error);
    },
  }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // An answer of the service is final; only a missing one is worth another try.
      retry: (failures, error) => statusOf(error) === null && failures < 2,
    },
    // Without a connection, a change fails at once and its form stays, instead of waiting unseen.
    mutations: { retry: false, networkMode: "always" },
  },
});

/** Query and mutation options of every procedure. */
export const api = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
