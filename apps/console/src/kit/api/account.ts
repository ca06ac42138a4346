import { useQuery } from "@tanstack/react-query";
import type { AppRouter } from "@terse/core";
import type { inferRouterOutputs } from "@trpc/server";
import { api, queryClient, statusOf } from "./api.ts";

/** The service saw no session when it sent the page: nothing that needs one is asked for until somebody signs in. */
export const cameWithoutSession = "visitor" in document.documentElement.dataset;

/** Whether nobody is signed in. */
export const isVisitor = ({ data, error }: { data?: unknown; error: unknown }): boolean =>
  statusOf(error) === 401 || (cameWithoutSession && data === undefined && error === null);

/** The signed-in account, for screens: they are shown only while there is one. */
export const useMe = () => useQuery(api.users.me.queryOptions(undefined, { staleTime: 60_000 }));

/** Its id */
export const useAccountId = (): string | undefined => useMe().data?.id;

type Overview = inferRouterOutputs<AppRouter>["users"]["plan"];
export type Feature = Overview["plans"][number]["features"][number];

const planOptions = api.users.plan.queryOptions(undefined, { staleTime: 60_000 });
/** Asks for the plan while the account is being loaded. */
export const prefetchPlan = () => void queryClient.prefetchQuery(planOptions);

/** Whether the account's plan includes a feature; undefined until that is known. */
export const useHas = (feature: Feature): boolean | undefined =>
  useQuery({
    ...planOptions,
    select: ({ plan, plans }) => plans.find(({ name }) => name === plan)?.features.includes(feature) ?? false,
  }).data;
