/** Small helpers to read parsed JSON of which nothing is known. */

export type Json = Record<string, unknown>;

export const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const show = (value: unknown): string => (value === undefined ? "not set" : JSON.stringify(value));

/** Follows a reference within the document; what stands beside the reference is kept. */
export function resolve(document: Json, value: unknown): Json {
  const { $ref: reference, ...beside } = objectOf(value);
  if (typeof reference !== "string") return beside;
  if (!reference.startsWith("#/")) throw new Error(`${reference}: only references within the document work`);
  const target = reference
    .slice(2)
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, part) => objectOf(at)[part], document);
  if (target === undefined) throw new Error(`${reference} points to nothing`);
  return { ...resolve(document, target), ...beside };
}
