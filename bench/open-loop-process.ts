import { connect } from "node:net";
import { userAgent } from "./wrk.ts";

/**
 * Sends requests on a schedule, spread over connections that pipeline where an answer is late, and measures each from
 * the moment at which it was due: a server that stalls is charged for everything that had to wait. So that it is not
 * charged for this process's own pauses, nothing is allocated for a request.
 */
const [port = 0, perSecond = 0, seconds = 0] = process.argv.slice(2).map(Number);
const connections = 64;
const request = `GET /a0 HTTP/1.1\r\nHost: short.test\r\nUser-Agent: ${userAgent}\r\n\r\n`;
/** What every answer begins with, and nothing else in it: servers differ in how they end one without a body. */
const beginning = Buffer.from("HTTP/1.1");

const total = perSecond * seconds;
/** By request, in the order of sending; NaN where no answer came */
const latencies = new Float64Array(total).fill(NaN);
let answered = 0;
let started = 0;
const dueAt = (nth: number) => started + (nth / perSecond) * 1000;

const sockets = await Promise.all(
  Array.from({ length: connections }, async (_, first) => {
    /** The request that this connection's next answer belongs to */
    let next = first;
    /** How much of `beginning` the last piece ended with */
    let matched = 0;
    const answers = (length: number, buffer: Uint8Array) => {
      const now = performance.now();
      for (let at = 0; at < length; at++) {
        const byte = buffer[at];
        matched = byte === beginning[matched] ? matched + 1 : byte === beginning[0] ? 1 : 0;
        if (matched < beginning.length) continue;
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
      onread: { buffer: Buffer.alloc(65_536), callback: answers },
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
  if (sent < total) setImmediate(send);
  else finish();
}
function finish(): void {
  if (answered < total && performance.now() < dueAt(total) + 5000) return void setTimeout(finish, 10);
  const sorted = latencies.filter((latency) => !Number.isNaN(latency)).toSorted();
  console.log(Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 1000));
  process.exit(0);
}
send();
