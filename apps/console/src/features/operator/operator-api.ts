import type { OperatorRouter } from "@terse/core";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { batched, queryClient } from "../../kit/api/api.ts";

/** What only operators may call */
export const operatorApi = createTRPCOptionsProxy<OperatorRouter, { keyPrefix: true }>({
  client: createTRPCClient<OperatorRouter>({ links: [httpBatchLink({ url: "/trpc-operator", ...batched })] }),
  queryClient,
  keyPrefix: "operator",
});
