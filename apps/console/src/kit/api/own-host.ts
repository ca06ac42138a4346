import { useQuery } from "@tanstack/react-query";
import { client } from "./api.ts";

/** The service's own short-link host; empty until it is known. */
export function useOwnHost(): string {
  // An empty slug is never free, but the answer names the host.
  const asked = useQuery({
    queryKey: ["draft", "own host"],
    queryFn: () => client.links.availability.query({ slug: "" }),
    staleTime: Infinity,
  });
  return asked.data?.domain ?? "";
}
