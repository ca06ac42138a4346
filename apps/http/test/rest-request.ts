import type { Meta } from "@terse/core";
import type { Ask } from "./client.ts";

/** An input as the REST request that carries it: path, then query string (lists are repeated), JSON body or file. */
export function restRequest(
  { method, path, file }: Pick<NonNullable<Meta["openapi"]>, "method" | "path" | "file">,
  input: Record<string, unknown>,
): [method: string, path: string, ask: Ask] {
  const rest = new Map(Object.entries(input));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  if (file && rest.has(file.field)) {
    const content = String(rest.get(file.field));
    rest.delete(file.field);
    return [
      method,
      rest.size > 0 ? `${filled}?${queryOf(rest)}` : filled,
      {
        body: file.isText ? content : Buffer.from(content, "base64"),
        headers: { "Content-Type": file.types[0] ?? "" },
      },
    ];
  }
  if (method !== "GET" && method !== "DELETE")
    return [method, filled, rest.size > 0 ? { json: Object.fromEntries(rest) } : {}];
  return [method, rest.size > 0 ? `${filled}?${queryOf(rest)}` : filled, {}];
}

const queryOf = (fields: ReadonlyMap<string, unknown>): string =>
  new URLSearchParams(
    Array.from(fields).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  ).toString();
