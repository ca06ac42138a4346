import { useQueries } from "@tanstack/react-query";
import { api, client } from "../../kit/api/api.ts";

/** The daily clicks of the links of some pages, by their ids, for plans that have analytics. Asks once for each page. */
export function useSparklines(
  pages: readonly (readonly string[])[],
  enabled: boolean,
): ReadonlyMap<string, readonly number[]> {
  return useQueries({
    queries: (enabled ? pages : []).map((ids) => ({
      queryKey: [...api.analytics.sparklines.pathKey(), ids.join()],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.analytics.sparklines.query({ ids: [...ids] }, { signal }),
      staleTime: 60_000,
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }) => data?.links.map(({ id, clicks }) => [id, clicks] as const) ?? []),
      ),
  });
}
