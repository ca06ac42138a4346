import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { newRequestId, requestIdHeader } from "./request-id.ts";

const lingerMs = 1_000;

/** An answer given before any app is asked: the envelope of every JSON error, and the end of the connection. */
export function errorEnvelope(error: string): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ data: null, error, meta: null });
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    [requestIdHeader]: newRequestId(),
    Connection: "close",
  };
  return { body, headers };
}

/** Refuses a request whose head was read. */
export function rejectRequest(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) return void response.destroy();
  const { body, headers } = errorEnvelope(error);
  response.writeHead(status, headers).end(body);
}

/** Why a request's Host is unacceptable, or null: exactly one, and in HTTP/1.0 at most one (RFC 9112 section 3.2). */
export function hostHeaderError({
  rawHeaders,
  httpVersionMinor,
  httpVersionMajor,
}: IncomingMessage): string | null {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  if (hosts > 1) return "The request has more than one Host header: send exactly one";
  const optional = httpVersionMajor === 1 && httpVersionMinor === 0;
  return hosts === 0 && !optional ? "The request has no Host header: send exactly one" : null;
}

/** Refuses what Node's parser could not read, on the bare socket; `begun` says that an answer is already on its way. */
export function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket, begun: boolean): void {
  // Bytes that still arrive after the refusal raise this event again: they are dropped until the linger ends.
  if (socket.writableEnded) return;
  if (begun || error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, sentence] = explain(error.code);
  const { body, headers } = errorEnvelope(sentence);
  const head = Object.entries({ Date: new Date().toUTCString(), ...headers }).map(
    ([k, v]) => `${k}: ${v}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${body}`);
  // Closing with unread bytes would send a reset that can overtake the answer (RFC 9112 section 9.6).
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(linger));
}

function explain(code: string | undefined): [status: number, error: string] {
  if (code === "HPE_HEADER_OVERFLOW") return [431, "The request's header fields are larger than 16 KiB"];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "The request took too long to arrive"];
  return [400, "The request is not valid HTTP/1.1"];
}
