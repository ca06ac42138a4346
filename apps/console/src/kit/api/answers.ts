import type { AppRouter } from "@terse/core";
import type { inferRouterOutputs } from "@trpc/server";

/** What the procedures answer, by their names */
export type Answers = inferRouterOutputs<AppRouter>;
