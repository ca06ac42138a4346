import { hashKey, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import type { AppRouter } from "@terse/core";
import type { Issue } from "@terse/core/browser";
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  splitLink,
  TRPCClientError,
  type TRPCLink,
} from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { stringsNow } from "../../words/strings.tsx";
import { sentenceOfAll } from "../sentences.ts";
import { fetchAnswer } from "./fetch.ts";
import { askToSignInAgain } from "./again.ts";
import { tell } from "./channel.ts";
import { workspace } from "./workspace.ts";
import { errorsBeside, errorsOf } from "../issues.ts";

/** Sends calls in batches of at most three, which never ask for more than the server allows. */
export const batched = {
  maxItems: 3,
  async fetch(url: RequestInfo | URL | string, options?: object): Promise<Response> {
    const request: RequestInit = { ...options };
    const response = await fetchAnswer(url, request);
    // Mutations are sent by POST: what they changed is old in other tabs.
    if (request.method === "POST" && response.ok) tell({ kind: "changed" });
    return response;
  },
};

/** Has errors say in the viewer's language why a call was refused. */
export const inViewersLanguage: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error(error) {
          const { issues = [] } = (error.data ?? {}) as { issues?: readonly Issue[] };
          error.message = sentenceOfAll(issues, stringsNow()) ?? error.message;
          observer.error(error);
        },
      }),
    );

/** The context of a call whose answer may take a while, so that no other waits for it in the same batch. */
export const slow = { trpc: { context: { isSlow: true } } };

/** Calls procedures directly, where a query needs more than the options of `api`. */
export const client = createTRPCClient<AppRouter>({
  links: [
    inViewersLanguage,
    splitLink({
      condition: ({ context }) => context.isSlow === true,
      true: httpLink({ url: "/trpc", fetch: batched.fetch }),
      false: httpBatchLink({ url: "/trpc", ...batched }),
    }),
  ],
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

/** Whether a call was refused because the sign-in is too old for it. */
const needsNewSignIn = (error: unknown): error is Error =>
  error instanceof TRPCClientError && (error.data as { max_age?: number } | null)?.max_age !== undefined;

/** Why a change was refused; undefined if a sign-in is all that is missing, which is asked for elsewhere. */
export const refusalOf = (error: unknown): string | undefined =>
  errorsBeside(errorsOf(error, stringsNow()), []);

/** A session that has ended ends for every screen: asking for the user again shows the sign-in page. */
function onError(error: unknown): void {
  const status = statusOf(error);
  // In a workspace that one is no longer in, everything is 404.
  if (status === 401 || (status === 404 && workspace !== null))
    void queryClient.refetchQueries(api.users.me.queryFilter());
  if (needsNewSignIn(error)) askToSignInAgain(error.message);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryHash }) => {
      if (queryHash !== hashKey(api.users.me.queryKey())) onError(error);
    },
  }),
  mutationCache: new MutationCache({
    onError,
    onSettled(_data, _error, _variables, _result, { options: { mutationKey = [] } }) {
      const [[kind = ""] = []] = mutationKey as string[][];
      if (kind !== "") void refresh(kind, ...(alsoOld[kind] ?? []));
    },
  }),
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

/** What a change makes old besides what is of its own kind. */
const alsoOld: Readonly<Record<string, readonly string[]>> = {
  links: ["tags", "changes"],
  tags: ["links", "changes"],
  changes: ["links", "tags", "jobs"],
  workspaces: ["users", "members"],
  identities: ["users", "sessions", "activity"],
};

/** Has the answers of these kinds, the first parts of the names of procedures, asked for again where they are shown. */
export const refresh = (...kinds: readonly string[]): Promise<unknown> =>
  Promise.all(kinds.map((kind) => queryClient.invalidateQueries({ queryKey: [[kind]] })));

/** Query and mutation options of every procedure. After a change, `refresh` is called by itself. */
export const api = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
