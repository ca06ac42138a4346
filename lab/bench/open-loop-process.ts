import { connect } from "node:net";
import { userAgent } from "./wrk.ts";

/**
 * Sends requests on a schedule over several connections, pipelined if a response is late. Latency is measured from the
 * time a request was due, so a stalled server is charged for all requests that had to wait. Requests allocate nothing,
 * so that garbage collection in this process does not distort the result.
 */
const [port = 0, perSecond = 0, seconds = 0] = process.argv.slice(2).map(Number);
const connections = 64;
const request = `GET /a0 HTTP/1.1\r\nHost: short.test\r\nUser-Agent: ${userAgent}\r\n\r\n`;
/** Every response starts with this, and contains it only once; servers differ in how they end an empty response. */
const responseStart = Buffer.from("HTTP/1.1");

const total = perSecond * seconds;
/** By request, in the order of sending; NaN without a response */
const latencies = new Float64Array(total).fill(NaN);
let answered = 0;
let started = 0;
const dueAt = (nth: number) => started + (nth / perSecond) * 1000;

const sockets = await Promise.all(
  Array.from({ length: connections }, async (_, first) => {
    /** The request that this connection's next response belongs to */
    let next = first;
    /** How many bytes of `responseStart` the last chunk ended with */
    let matched = 0;
    const onData = (length: number, buffer: Uint8Array) => {
      const now = performance.now();
      for (let at = 0; at < length; at++) {
        const byte = buffer[at];
        matched = byte === responseStart[matched] ? matched + 1 : byte === responseStart[0] ? 1 : 0;
        if (matched < responseStart.length) continue;
        matched = 0;
        latencies[next] = now - dueAt(next);
        next += connections;
        answered++;
      }
      return true;
    };
    const socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: { buffer: Buffer.alloc(65_536), callback: onData },
    });
    await new Promise<void>((resolve) => socket.once("connect", resolve));
    return socket;
  }),
);

let sent = 0;
started = performance.now();
function send(): void {
  for (const now = performance.now(); sent < total && dueAt(sent) <= now; sent++) {
    sockets[sent % connections]?.write(request, "latin1");
  }
  if (sent === total) finish();
  // Few requests leave time to sleep, which leaves the core to the database.
  else if (perSecond < 2000) setTimeout(send, 1);
  else setImmediate(send);
}
function finish(): void {
  if (answered < total && performance.now() < dueAt(total) + 5000) return void setTimeout(finish, 10);
  const sorted = latencies.filter((latency) => !Number.isNaN(latency)).toSorted();
  console.log(Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 1000));
  process.exit(0);
}
send();
