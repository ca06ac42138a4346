import { connect } from "node:net";

/** What came back over one raw TCP connection until its end: the text, and the error code if it was reset. */
export interface Exchange {
  readonly text: string;
  readonly reset: string | null;
}

/** Sends bytes as they are and reads until the server closes, or for `patienceMs`. */
export function exchange(port: number, sent: string, patienceMs = 3_000): Promise<Exchange> {
  return new Promise((resolve) => {
    let text = "";
    let reset: string | null = null;
    const socket = connect(port, "127.0.0.1", () => socket.write(sent));
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      reset = error.code ?? "unknown";
    });
    const patience = setTimeout(() => socket.destroy(), patienceMs);
    socket.on("close", () => {
      clearTimeout(patience);
      resolve({ text, reset });
    });
  });
}

/** Splits the text of one answer. */
export function parseAnswer(text: string) {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(": ", 2) as [string, string]));
  return { status: Number(statusLine.split(" ")[1]), headers, body };
}
