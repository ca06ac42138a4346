import { AppError } from "@terse/core/redirect";

/** Largest body that listeners accept, in bytes, unless an operation takes a file. */
export const maxBodyBytes = 64 * 1024;

const bodyTooLarge = (maxBytes = maxBodyBytes) =>
  new AppError("PAYLOAD_TOO_LARGE", `The body must have at most ${maxBytes} bytes`);

/** The part of a request's body that is in memory. */
export interface HeldBody {
  /** Counts bytes that have arrived. Throws 503 if there is no room for them. */
  take(bytes: number): void;
  release(): void;
}

/**
 * Limits how many bytes of bodies are in memory at a time, of one account and of all. Bytes count when they arrive, so that
 * a slow upload blocks no one.
 */
export function bodyRoom(most: { account: number; process: number }): (accountId: string) => HeldBody {
  const held = new Map<string, number>();
  let all = 0;
  return (accountId) => {
    let own = 0;
    const add = (bytes: number) => {
      const ofAccount = (held.get(accountId) ?? 0) + bytes;
      if (bytes > 0 && (ofAccount > most.account || all + bytes > most.process)) throw tooManyBodies();
      own += bytes;
      all += bytes;
      if (ofAccount > 0) held.set(accountId, ofAccount);
      else held.delete(accountId);
    };
    return { take: add, release: () => add(-own) };
  };
}

const tooManyBodies = () =>
  new AppError("SERVICE_UNAVAILABLE", "Too many large bodies are being sent; try again shortly", {
    retryAfter: 10,
  });

/** Reads a body of at most `maxBytes`; a larger one is a 413. `held` counts its bytes if more than usual are allowed. */
export async function readBody(
  request: Request,
  maxBytes: number = maxBodyBytes,
  held?: HeldBody,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get("content-length");
  if (Number(length) > maxBytes) throw bodyTooLarge(maxBytes);
  const isCounted = held !== undefined && maxBytes > maxBodyBytes;
  // Node enforces the declared length, and reading the body at once is cheaper than a web stream.
  if (length !== null && !isCounted) return new Uint8Array(await request.arrayBuffer());
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    if (isCounted) held.take(chunk.length);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
