import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Source } from "@terse/core";
import type { Words } from "@terse/server";

/** A request as the library gets it, with what our callbacks need to know of the original. */
export class ForwardedRequest extends IncomingMessage {
  source: Source = {};
  /** A user code in the address of the page where it is typed */
  typed: string | undefined;
  /** The texts of pages for the person behind it */
  words: Words | undefined;
  /** The error that made the answer a 500 */
  failure: Error | undefined;
}

export interface Forwarded {
  method: string;
  /** Under the service's public address */
  url: URL;
  headers: Readonly<Record<string, string | undefined>>;
  body?: string | undefined;
  source: Source;
  typed?: string | undefined;
  words: Words;
}

/**
 * Passes a request to a listener made for Node's HTTP server, and returns its answer. It gets a new request: the
 * listener sees the public address whatever the proxy sent, and only those cookies that it is meant to see.
 */
export function exchange(
  listener: RequestListener,
  { method, url, headers, body, source, typed, words }: Forwarded,
): Promise<{ response: Response; failure: Error | undefined }> {
  const socket = Object.assign(new Socket(), { encrypted: url.protocol === "https:" });
  const request = new ForwardedRequest(socket);
  request.method = method;
  request.url = url.pathname + url.search;
  request.source = source;
  request.typed = typed;
  request.words = words;
  request.headers = {
    ...headers,
    host: url.host,
    ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
  };
  if (body !== undefined) request.push(body);
  request.push(null);

  return new Promise((resolve) => {
    const response = new ServerResponse(request);
    response.end = (content?: unknown) => {
      const answer = new Headers();
      for (const [name, value] of Object.entries(response.getHeaders()))
        for (const each of [value].flat()) if (each !== undefined) answer.append(name, String(each));
      const text = Buffer.isBuffer(content)
        ? content.toString()
        : typeof content === "string"
          ? content
          : null;
      const { statusCode: status } = response;
      resolve({ response: new Response(text, { status, headers: answer }), failure: request.failure });
      return response;
    };
    listener(request, response);
  });
}
