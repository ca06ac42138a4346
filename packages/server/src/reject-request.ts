import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { hasLongHost, isLongHost, type Issue } from "@terse/core/redirect";
import { problemOf, problemType, wantsProblem } from "./problem.ts";
import { newRequestId, requestIdHeader } from "./request-id.ts";

const lingerTimeoutMs = 1_000;

/**
 * The response to a request that no app handles: the JSON error envelope, or problem details for a client that wants them, and
 * `Connection: close`.
 */
export function refusal(
  status: number,
  error: string,
  accept?: string,
): { body: string; headers: Record<string, string> } {
  const id = newRequestId();
  const isProblem = wantsProblem(accept);
  const issues: Issue[] = status === 400 ? [{ path: [], code: "invalid", message: error }] : [];
  const body = JSON.stringify(
    isProblem ? problemOf({ status, message: error, issues }, id) : { data: null, error, meta: null },
  );
  const headers = {
    "Content-Type": isProblem ? problemType : "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    [requestIdHeader]: id,
    Connection: "close",
  };
  return { body, headers };
}

/** Rejects a request whose headers were read. */
export function rejectRequest(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) return void response.destroy();
  const { body, headers } = refusal(status, error, response.req.headers.accept);
  response.writeHead(status, headers).end(body);
}

const longHost = "The request's host is longer than a host name can be";

/**
 * Returns the problem with a request's host, or null: exactly one Host header, in HTTP/1.0 at most one (RFC 9112 section
 * 3.2), and no host that is longer than a DNS name, there or in an absolute target.
 */
export function requestHostError({
  rawHeaders,
  url = "",
  httpVersionMinor,
  httpVersionMajor,
}: IncomingMessage): string | null {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    if (isLongHost(rawHeaders[i + 1] as string)) return longHost;
    hosts++;
  }
  if (!url.startsWith("/") && hasLongHost(url)) return longHost;
  if (hosts > 1) return "The request has more than one Host header: send exactly one";
  const optional = httpVersionMajor === 1 && httpVersionMinor === 0;
  return hosts === 0 && !optional ? "The request has no Host header: send exactly one" : null;
}

export const internalError = "Internal server error";
export const invalidTarget = "The request's URL or Host header is not valid";

/**
 * Whether a request's target is a path without backslashes or an absolute URL, and its Host header, if it has one, a host with
 * at most a port (RFC 9112 section 3.2). Browsers read a backslash as a slash.
 */
export function isValidTarget({
  url = "",
  headers: { host = "" },
}: Pick<IncomingMessage, "url" | "headers">) {
  const [path = ""] = url.split("?", 1);
  if (path.includes("\\")) return false;
  if (/^https?:\/\//.test(url)) return URL.canParse(url);
  const isHost = host === "" || (!/[/?#@\\\s]/.test(host) && URL.canParse(`http://${host}`));
  return url.startsWith("/") && isHost;
}

/** Rejects a request that Node could not parse, on the raw socket; `responding` if a response is being sent on it. */
export function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket, responding: boolean): void {
  // Bytes that arrive later raise this event again; they are dropped until the timeout.
  if (socket.writableEnded) return;
  if (responding || error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, sentence] = parseErrorOf(error.code);
  const { body, headers } = refusal(status, sentence);
  const head = Object.entries({ Date: new Date().toUTCString(), ...headers }).map(
    ([k, v]) => `${k}: ${v}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${body}`);
  // Closing with unread bytes sends a reset that can overtake the response (RFC 9112 section 9.6).
  const linger = setTimeout(() => socket.destroy(), lingerTimeoutMs);
  socket.once("close", () => clearTimeout(linger));
}

function parseErrorOf(code: string | undefined): [status: number, error: string] {
  if (code === "HPE_HEADER_OVERFLOW") return [431, "The request headers are larger than 16 KiB"];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "The request took too long to arrive"];
  return [400, "The request is not valid HTTP/1.1"];
}
