import type { OperatorRouter } from "@terse/core";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { queryClient } from "../api.ts";

/** What only operators may call; the server takes at most four of these a batch. */
export const operatorApi = createTRPCOptionsProxy<OperatorRouter>({
  client: createTRPCClient<OperatorRouter>({
    links: [httpBatchLink({ url: "/trpc-operator", maxItems: 4 })],
  }),
  queryClient,
});

/** Asks again for all that operators see, after a change. */
export const refresh = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => operatorPaths.has(String(path)) });

const operatorPaths = new Set(["overview", "accounts", "account", "findLinks", "reports"]);
