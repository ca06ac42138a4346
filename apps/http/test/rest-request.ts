import type { Meta } from "@terse/core";
import type { Ask } from "./client.ts";

/** An input as the REST request that carries it: path, then query string (lists are repeated) or JSON body. */
export function restRequest(
  { method, path }: Pick<NonNullable<Meta["openapi"]>, "method" | "path">,
  input: Record<string, unknown>,
): [method: string, path: string, ask: Ask] {
  const rest = new Map(Object.entries(input));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  if (method !== "GET" && method !== "DELETE")
    return [method, filled, rest.size > 0 ? { json: Object.fromEntries(rest) } : {}];
  const query = new URLSearchParams(
    Array.from(rest).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  );
  return [method, rest.size > 0 ? `${filled}?${query.toString()}` : filled, {}];
}
