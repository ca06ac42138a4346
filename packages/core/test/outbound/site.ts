import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request that a site received. */
export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A web server of a test, on a loopback address. */
export interface Site {
  url: string;
  port: number;
  /** All requests so far */
  received: Received[];
  /** Decides about each request; answers 200 unless it is replaced. */
  answer: (request: Received, response: ServerResponse) => void | Promise<void>;
}

/** Starts a site that stops after the test. */
export async function startSite(
  answer: Site["answer"] = (_, response) => void response.end("ok"),
): Promise<Site> {
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const site: Site = { url: `http://127.0.0.1:${port}/`, port, received: [], answer };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const received = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    };
    site.received.push(received);
    await site.answer(received, response);
  }
  return site;
}

/** A site that answers everything with this status. */
export const answering =
  (status: number, headers: Record<string, string> = {}): Site["answer"] =>
  (_, response) =>
    void response.writeHead(status, headers).end();
