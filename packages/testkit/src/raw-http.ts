import { connect } from "node:net";

/** What came back over one TCP connection until its end. */
export interface Exchange {
  /** Of the first answer; NaN where there was none */
  readonly status: number;
  readonly headers: Headers;
  /** All that follows the first answer's head */
  readonly body: string;
  readonly text: string;
  /** The error code where the connection was reset */
  readonly reset: string | null;
}

/**
 * Sends bytes as they are (text in Latin-1) and reads until the server closes, or says nothing for `patienceMs`; ask it
 * to close with `Connection: close`.
 */
export async function exchange(port: number, sent: string | Buffer, patienceMs = 15_000): Promise<Exchange> {
  const chunks: Buffer[] = [];
  const reset = await new Promise<string | null>((resolve) => {
    let code: string | null = null;
    const socket = connect(port, "127.0.0.1", () => socket.write(sent, "latin1"));
    socket.setTimeout(patienceMs, () => socket.destroy());
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
