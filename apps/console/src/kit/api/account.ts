import { useQuery } from "@tanstack/react-query";
import { mayDo, type Permission } from "@terse/core/browser";
import type { Answers } from "./answers.ts";
import { api, queryClient, slow, statusOf } from "./api.ts";
import { useHasEmail } from "./providers.ts";

/** The service saw no session when it sent the page: nothing that needs one is asked for until somebody signs in. */
export const cameWithoutSession = "visitor" in document.documentElement.dataset;

/** Whether nobody is signed in. */
export const isVisitor = ({ data, error }: { data?: unknown; error: unknown }): boolean =>
  statusOf(error) === 401 || (cameWithoutSession && data === undefined && error === null);

/** The signed-in account, for screens: they are shown only while there is one. */
export const useMe = () => useQuery(api.users.me.queryOptions(undefined, { staleTime: 60_000 }));

/** The id of the workspace that is shown */
export const useWorkspaceId = (): string | undefined => useMe().data?.workspace.id;

/** Whether the person's role in the workspace allows something; the service decides again at each call. */
export function useMay(permission: Permission): boolean {
  const me = useMe().data;
  return me !== undefined && mayDo(me.workspace.role, permission);
}

/** In how many ways the person can sign in, of which one stays. */
export function useWays(): number {
  const passkeys = useQuery(api.passkeys.list.queryOptions()).data ?? [];
  const identities = useQuery(api.identities.list.queryOptions()).data ?? [];
  const getsCodes = useQuery(api.users.profile.queryOptions()).data?.email_verified === true;
  return passkeys.length + identities.length + (useHasEmail() && getsCodes ? 1 : 0);
}

type Overview = Answers["users"]["plan"];
export type Feature = Overview["plans"][number]["features"][number];

/** The plan, with what is used of it, which may have to be measured. */
export const planOptions = api.users.plan.queryOptions(undefined, { ...slow, staleTime: 60_000 });
/** Asks for the plan while the account is being loaded. */
export const prefetchPlan = () => void queryClient.prefetchQuery(planOptions);

/** Whether the account's plan includes a feature; if not, the title of the smallest plan that does. */
export function usePlanWith(feature: Feature): {
  isIncluded: boolean | undefined;
  needed: string | undefined;
} {
  const { plan, plans = [] } = useQuery(planOptions).data ?? {};
  const fitting = plans.filter(({ features }) => features.includes(feature));
  const isIncluded = plan === undefined ? undefined : fitting.some(({ name }) => name === plan);
  return { isIncluded, needed: isIncluded === false ? fitting[0]?.title : undefined };
}

/** Whether the account's plan includes a feature; undefined until that is known. */
export const useHas = (feature: Feature): boolean | undefined => usePlanWith(feature).isIncluded;
