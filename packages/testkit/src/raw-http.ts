import { connect } from "node:net";

/** Everything that was received on one TCP connection. */
export interface Exchange {
  /** Status of the first response; NaN if there was none */
  readonly status: number;
  readonly headers: Headers;
  /** Everything after the head of the first response */
  readonly body: string;
  readonly text: string;
  /** The error code if the connection was reset */
  readonly reset: string | null;
}

/**
 * Sends raw bytes (text in Latin-1) and reads until the server closes, or is silent for `timeoutMs`. Send
 * `Connection: close` to make it close.
 */
export async function exchange(port: number, sent: string | Buffer, timeoutMs = 15_000): Promise<Exchange> {
  const chunks: Buffer[] = [];
  const reset = await new Promise<string | null>((resolve) => {
    let code: string | null = null;
    const socket = connect(port, "127.0.0.1", () => socket.write(sent, "latin1"));
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", (error: NodeJS.ErrnoException) => (code = error.code ?? "unknown"));
    socket.on("close", () => resolve(code));
  });
  const text = Buffer.concat(chunks).toString();
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, Math.max(0, end)).split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return {
    status: Number.parseInt(statusLine.split(" ")[1] ?? "", 10),
    headers,
    body: text.slice(end + 4),
    text,
    reset,
  };
}
