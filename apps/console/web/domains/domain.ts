import type { AppRouter } from "@terse/core";
import type { inferRouterOutputs } from "@trpc/server";

export type Domain = inferRouterOutputs<AppRouter>["domains"]["list"][number];

/** Milliseconds between two checks of a domain that is not verified yet. */
export const recheckEvery = 15_000;
