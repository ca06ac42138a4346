import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "hono";
import { acceptsEncoding } from "./compression.ts";
import { matchesETag, strongETag } from "./etag.ts";

/** Content codings (RFC 9110 section 8.4.1) from the smallest to the largest. */
const encodings = ["br", "gzip", "identity"] as const;
type Encoding = (typeof encodings)[number];
type Bytes = Uint8Array<ArrayBuffer>;

/** Higher ones take seconds for the script of /docs. */
const brotliQuality = 7;

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
  identity: async (bytes: Buffer) => bytes,
};

/** The bodies of a file that is read and compressed on first use. */
export const compressed =
  (read: () => string | Buffer) =>
  async (encoding: Encoding): Promise<Bytes> =>
    new Uint8Array(await compressors[encoding](Buffer.from(read())));

/**
 * Serves a file that is the same for everyone, in the smallest encoding that the client takes and that there is:
 * `bodyIn` returns null for another one, and is asked once for each. Every encoding has a strong ETag of its own (RFC
 * 9110 section 8.8.3.3); a client that has it already is answered 304.
 */
export function fixedFile(
  type: string,
  bodyIn: (encoding: Encoding) => Promise<Bytes | null> | Bytes | null,
  headers: Record<string, string>,
): (c: Context) => Promise<Response> {
  const made = new Map<Encoding, Promise<{ body: Bytes; ETag: string } | null>>();
  const make = async (encoding: Encoding) => {
    const body = await bodyIn(encoding);
    return body && { body, ETag: strongETag(body) };
  };
  const get = (encoding: Encoding) => {
    const known = made.get(encoding) ?? make(encoding);
    made.set(encoding, known);
    return known;
  };
  return async (c) => {
    for (const encoding of encodings) {
      if (encoding !== "identity" && !acceptsEncoding(c, encoding)) continue;
      const file = await get(encoding);
      if (file === null) continue;
      const Vary = [headers.Vary, "Accept-Encoding"].filter(Boolean).join(", ");
      const all = { ...headers, ETag: file.ETag, Vary };
      if (matchesETag(c.req.header("if-none-match"), file.ETag)) return c.body(null, 304, all);
      return c.body(file.body, 200, {
        ...all,
        "Content-Type": type,
        ...(encoding !== "identity" && { "Content-Encoding": encoding }),
      });
    }
    throw new Error("A fixed file has no body without an encoding");
  };
}
