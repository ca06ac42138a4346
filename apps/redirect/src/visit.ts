import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { type Client, type ClientInfo, isForm, type Words, wordsFor } from "@terse/server";
import { headerOf } from "./request-head.ts";
import { parseTarget, type Target } from "./request-target.ts";

/** The parts of Node's request that the app reads. */
export type Incoming = Pick<IncomingMessage, "method" | "url" | "rawHeaders" | "socket"> & Readable;

/** A request to the short-link host. */
export interface Visit {
  readonly method: string;
  readonly target: Target;
  readonly client: Client;
  /** The texts of pages in the visitor's language, which is found out when it is asked for */
  readonly words: Words;
  /** All values of a header, as `headerOf` joins them. */
  header(name: string): string | undefined;
  /** The fields of a submitted form; the status to refuse with if it is larger than `maxBytes` (413) or no form (415). */
  form(maxBytes: number): Promise<URLSearchParams | 413 | 415>;
  /** Values of Set-Cookie in the answer */
  readonly cookies: string[];
}

export function createVisit(request: Incoming, clientInfo: ClientInfo): Visit {
  const { method = "GET", url = "/", rawHeaders, socket } = request;
  const header = (name: string) => headerOf(rawHeaders, name);
  return {
    method,
    target: parseTarget(url, header("host") ?? ""),
    client: clientInfo(socket.remoteAddress, { get: header }),
    header,
    get words() {
      return wordsFor(header);
    },
    async form(maxBytes) {
      if (Number(header("content-length") ?? 0) > maxBytes) return 413;
      if (!isForm(header("content-type"))) return 415;
      const body = await readUpTo(maxBytes, request);
      return body === null ? 413 : new URLSearchParams(body);
    },
    cookies: [],
  };
}

/** Null if there is more. Nothing else is read then, and the connection stays open for the answer. */
async function readUpTo(maxBytes: number, request: Readable): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
