import type { Server } from "node:http";
import type { Socket } from "node:net";
import { duplexPair } from "node:stream";

type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

/** A request without a body, complete in one packet; each byte is one character. */
const requestHead = /^((?:GET|HEAD) )([^ \r\n]+)( HTTP\/1\.[01]\r\n(?:[^\r\n]+\r\n)+)\r\n$/;

/**
 * Node's parser refuses a target with bytes above 127, which some programs send in queries and paths. Such a request is parsed
 * again with these bytes percent-encoded, and answered on the same socket, which is then closed. Returns false for any other
 * error.
 */
export function answerRawTarget(server: Server, error: ParseError, socket: Socket): boolean {
  const head = error.code === "HPE_INVALID_URL" ? encoded(error) : null;
  if (head === null) return false;
  const [client, connection] = duplexPair();
  const { remoteAddress, remotePort, remoteFamily } = socket;
  server.emit("connection", Object.assign(connection, { remoteAddress, remotePort, remoteFamily }));
  socket.once("close", () => client.destroy());
  client.on("error", () => socket.destroy());
  client.pipe(socket);
  client.write(head);
  return true;
}

/** Null if the packet is not just one such request, or is invalid for another reason. */
function encoded({ rawPacket, bytesParsed = 0 }: ParseError): Buffer | null {
  const text = rawPacket?.toString("latin1") ?? "";
  const [, method, target = "", rest] = requestHead.exec(text) ?? [];
  if (text.charCodeAt(bytesParsed) <= 127 || !/[\u0080-\u00FF]/.test(target)) return null;
  const ascii = target.replaceAll(
    /[\u0080-\u00FF]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return Buffer.from(`${method}${ascii}${rest}Connection: close\r\n\r\n`, "latin1");
}
