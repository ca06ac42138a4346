import { useQuery } from "@tanstack/react-query";
import { ask } from "./fetch.ts";

interface Provider {
  name: string;
  title: string;
  login_url: string;
}

interface Ways {
  providers: Provider[];
  passkeys?: boolean;
  /** Whether codes can be sent by e-mail */
  email?: boolean;
}

async function loadWays(): Promise<Ways> {
  const { data } = (await (await ask("/auth/providers")).json()) as { data: Ways };
  return data;
}

const ways = { queryKey: ["providers"], queryFn: loadWays, staleTime: Number.POSITIVE_INFINITY };

/** The sign-in providers of the service; empty if people sign in with one-time links only. */
export const useProviders = () => useQuery({ ...ways, select: ({ providers }) => providers });

/** Whether the service can have passkeys at its address; undefined until that is known. */
export const useServicePasskeys = (): boolean | undefined =>
  useQuery({ ...ways, select: ({ passkeys }) => passkeys === true }).data;

/** Whether people can sign in with a code by e-mail. */
export const useHasEmail = () => useQuery({ ...ways, select: ({ email }) => email === true }).data === true;

/** Where a sign-in with a provider begins. It ends at `returnTo`, a path of the console. */
export const loginUrl = ({ login_url }: Provider, returnTo: string): string =>
  `${login_url}?${new URLSearchParams({ return_to: returnTo }).toString()}`;

/** On a loopback address, the service runs on this machine; else its operator sends sign-in links. */
export const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
