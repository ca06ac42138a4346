import type { AppRouter } from "@terse/core";
import type { inferRouterOutputs } from "@trpc/server";
import { api, queryClient } from "../../kit/api/api.ts";

type Outputs = inferRouterOutputs<AppRouter>["keys"];
export type Key = Outputs["listOwn"][number];
export type NewKey = Outputs["create"];
export type Scope = Key["scopes"][number];

export const refreshKeys = () => queryClient.invalidateQueries(api.keys.pathFilter());
