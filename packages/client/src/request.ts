/** How an operation is called. */
export interface Endpoint {
  method: string;
  /** With `{id}` as a placeholder for the input's value */
  url: string;
  /** The field of the input that is the body as it is */
  bodyField: string | undefined;
  /** The answer is a file, without the envelope */
  isFile: boolean;
}

type Body = NonNullable<RequestInit["body"]>;

/** A request that can be sent several times. */
export interface ApiRequest {
  method: string;
  url: string;
  body?: Body;
  contentType?: string;
  isFile: boolean;
}

/** Puts the fields of an input where they belong: path, query and body. */
export function requestOf({ method, url, bodyField, isFile }: Endpoint, input: object): ApiRequest {
  const fields = new Map(Object.entries(input as Record<string, unknown>));
  const take = (name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    return value;
  };
  const path = url.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = take(name);
    // An empty one would make it the path of another operation.
    if (typeof value !== "string" || value === "") throw new TypeError(`${name} must not be empty`);
    return encodeURIComponent(value);
  });
  const file = bodyField === undefined ? undefined : take(bodyField);
  const isQuery = method === "GET" || method === "DELETE" || bodyField !== undefined;
  const target = isQuery ? path + queryOf(fields) : path;
  if (file !== undefined)
    return { method, url: target, isFile, body: file as Body, contentType: typeOf(file) };
  if (isQuery || fields.size === 0) return { method, url: target, isFile };
  const body = JSON.stringify(Object.fromEntries(fields));
  return { method, url: target, isFile, body, contentType: "application/json" };
}

/** A list is a repeated parameter; undefined and null are left out. */
function queryOf(fields: Iterable<[string, unknown]>): string {
  const query = new URLSearchParams();
  for (const [name, value] of fields)
    for (const each of [value].flat() as (string | number | boolean | null | undefined)[])
      if (each !== undefined && each !== null) query.append(name, String(each));
  return query.size > 0 ? `?${query.toString()}` : "";
}

/** The media type of a file: its own, or what its first bytes say. */
function typeOf(file: unknown): string {
  if (typeof file === "string") return /^\s*[[{]/.test(file) ? "application/json" : "text/csv";
  if (file instanceof Blob && file.type) return file.type;
  const bytes = file instanceof Uint8Array ? file : file instanceof ArrayBuffer ? new Uint8Array(file) : [];
  return types[bytes[0] ?? 0] ?? "text/csv";
}

/** The first byte of PNG, JPEG and WebP */
const types: Record<number, string> = { 0x89: "image/png", 0xff: "image/jpeg", 0x52: "image/webp" };
