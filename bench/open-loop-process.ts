import { connect } from "node:net";
import { userAgent } from "./wrk.ts";

/**
 * Sends requests on a schedule, spread over connections that pipeline where an answer is late, and measures each from
 * the moment at which it was due: a server that stalls is charged for everything that had to wait.
 */
const [port = 0, perSecond = 0, seconds = 0] = process.argv.slice(2).map(Number);
const connections = 64;
const request = `GET /a0 HTTP/1.1\r\nHost: short.test\r\nUser-Agent: ${userAgent}\r\n\r\n`;
const end = "\r\n\r\n";

const latencies: number[] = [];
let open = 0;

const sockets = await Promise.all(
  Array.from({ length: connections }, async () => {
    const due: number[] = [];
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.setEncoding("latin1");
    let rest = "";
    socket.on("data", (text: string) => {
      const now = performance.now();
      rest += text;
      for (let at = rest.indexOf(end); at !== -1; at = rest.indexOf(end)) {
        rest = rest.slice(at + end.length);
        latencies.push(now - (due.shift() ?? now));
        open--;
      }
    });
    await new Promise<void>((resolve) => socket.once("connect", resolve));
    return { socket, due };
  }),
);

const started = performance.now();
const total = perSecond * seconds;
let sent = 0;
function send(): void {
  const now = performance.now();
  for (; sent < total && started + (sent / perSecond) * 1000 <= now; sent++) {
    const { socket, due } = sockets[sent % connections] as (typeof sockets)[number];
    due.push(started + (sent / perSecond) * 1000);
    socket.write(request);
    open++;
  }
  if (sent < total) setImmediate(send);
  else finish();
}
function finish(): void {
  if (open > 0 && performance.now() < started + (seconds + 5) * 1000) return void setTimeout(finish, 10);
  const sorted = latencies.toSorted((a, b) => a - b);
  console.log(Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 1000));
  process.exit(0);
}
send();
