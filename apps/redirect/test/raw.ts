import { connect } from "node:net";
import { browser } from "./app.ts";

/** One answer, as its bytes were. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends bytes (Latin-1) as they are and reads until the server closes; ask it to with `Connection: close`. */
export async function exchange(port: number, sent: string): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(sent, "latin1"));
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => {}); // a reset after the answer: what was read counts
    socket.on("close", () => resolve());
  });
  const text = Buffer.concat(chunks).toString("utf8");
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 2),
    ]),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, body: text.slice(end + 4) };
}

/** Asks for a target exactly as written. */
export const ask = (port: number, target: string, host = "short.test", method = "GET") =>
  exchange(
    port,
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${browser}\r\nConnection: close\r\n\r\n`,
  );
