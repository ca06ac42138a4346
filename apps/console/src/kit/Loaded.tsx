import type { ReactNode } from "react";
import { Problem } from "./Problem.tsx";

export interface LoadedProps<Data> {
  /** As `useQuery` returns it */
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** How much room a few empty rows take meanwhile */
  height?: "low" | "middle" | "tall";
  children: (data: Data) => ReactNode;
}

/** What a query returned; until then a few empty rows, or why it failed. An old answer stays while a new one is missing. */
export function Loaded<Data>({ query, height = "low", children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Problem error={query.error} retry={() => void query.refetch()} />;
  return <div className={`skeleton ${height}`} aria-busy="true" />;
}
