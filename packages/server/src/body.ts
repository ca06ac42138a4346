import { AppError } from "@terse/core/redirect";

/** Largest body that a listener accepts, in bytes, unless an operation names another limit. */
export const maxBodyBytes = 64 * 1024;

export const bodyTooLarge = (max = maxBodyBytes) =>
  new AppError("PAYLOAD_TOO_LARGE", `The body must have at most ${max} bytes`);

/** Reads a body of at most `max` bytes; a larger one is a 413. */
export async function readBody(request: Request, max = maxBodyBytes): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get("content-length");
  if (Number(length) > max) throw bodyTooLarge(max);
  // Node enforces the declared length, and reading the body at once is cheaper than a web stream.
  if (length !== null) return new Uint8Array(await request.arrayBuffer());
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > max) throw bodyTooLarge(max);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
