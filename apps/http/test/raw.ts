import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** Sends bytes over one TCP connection and reads until the server ends it, or is silent for too long. */
export function exchange(port: number, sent: string | Buffer, patienceMs = 3_000): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(sent));
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(parse(Buffer.concat(chunks).toString("latin1"))));
  });
}

function parse(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(": ", 2) as [string, string]));
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}
