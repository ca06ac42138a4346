import type { AppRouter } from "@terse/core";
import type { inferRouterOutputs } from "@trpc/server";

export type Bucket = inferRouterOutputs<AppRouter>["buckets"]["get"];

/** Links that a page can hold. */
export const maxLinks = 10;
