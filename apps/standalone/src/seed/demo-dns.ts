import { createSocket } from "node:dgram";
import { once } from "node:events";

/** A record that the service asks a domain's owner to set. */
export interface DnsRecord {
  type: string;
  name: string;
  value: string;
}

/** A resolver that knows only the records that were published to it. */
export interface DemoDns {
  /** For the core's option `dnsServers` */
  readonly address: string;
  publish(records: readonly DnsRecord[]): void;
  close(): Promise<void>;
}

/** RFC 1035, section 3.2.2. If the short-link host is an IPv6 address, which needs AAAA, the domain stays pending. */
const types: Readonly<Record<number, string>> = { 1: "A", 5: "CNAME", 16: "TXT" };
const headerBytes = 12;
const pointerToQuestion = 0xc000 | headerBytes;
const nameError = 3;

/**
 * Starts a resolver on a loopback address: a made-up domain cannot be verified in the public DNS. Only the core that
 * seeds asks it; a service that runs on the database later asks its usual resolvers.
 */
export async function startDemoDns(): Promise<DemoDns> {
  let known: readonly DnsRecord[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const answer = answerTo(query, known);
    if (answer) socket.send(answer, port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    publish: (records) => (known = records),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Returns the response to a query (RFC 1035, section 4), or null if the message is cut off. */
function answerTo(query: Buffer, known: readonly DnsRecord[]): Buffer | null {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  if (query.length < end) return null;
  const name = labels.join(".").toLowerCase();
  const type = query.readUInt16BE(at + 1);
  const named = known.filter((record) => record.name === name);
  const answers = named
    .filter((record) => record.type === types[type])
    .map(({ type: kind, value }) => {
      const data = dataOf(kind, value);
      const fixed = Buffer.alloc(12);
      fixed.writeUInt16BE(pointerToQuestion, 0);
      fixed.writeUInt16BE(type, 2);
      fixed.writeUInt16BE(1, 4); // class IN; the time to live is 0
      fixed.writeUInt16BE(data.length, 10);
      return Buffer.concat([fixed, data]);
    });
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (named.length > 0 ? 0 : nameError), 2); // a response; recursion desired and available
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, query.subarray(headerBytes, end), ...answers]);
}

function dataOf(type: string, value: string): Buffer {
  if (type === "A") return Buffer.from(value.split(".").map(Number));
  const pieces = type === "TXT" ? [value] : [...value.split("."), ""];
  return Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece, "latin1")])));
}
