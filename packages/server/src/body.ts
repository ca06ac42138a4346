import { AppError } from "@terse/core/redirect";

/** Largest body that listeners accept, in bytes, unless an operation takes a file. */
export const maxBodyBytes = 64 * 1024;

const bodyTooLarge = (maxBytes = maxBodyBytes) =>
  new AppError("PAYLOAD_TOO_LARGE", `The body must have at most ${maxBytes} bytes`);

/** Reads a body of at most `maxBytes`; a larger one is a 413. */
export async function readBody(
  request: Request,
  maxBytes: number = maxBodyBytes,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get("content-length");
  if (Number(length) > maxBytes) throw bodyTooLarge(maxBytes);
  // Node enforces the declared length, and reading the body at once is cheaper than a web stream.
  if (length !== null) return new Uint8Array(await request.arrayBuffer());
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
