import { connect } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { node, ports, proxy, redis, three, web } from "../addresses.ts";
import { Part } from "../part.ts";

const nodes = (port: number) =>
  three.map((number) => `  server node${number} ${node(number)}:${port}`).join("\n");

/** In front of the nodes, and of the Redis that is the primary. */
const config = (folder: string) => `
global
  maxconn 2000
  stats socket ${socket(folder)} mode 600
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 5s
  timeout check 2s
  option redispatch 1
  option forwardfor
  retries 5
  retry-on conn-failure empty-response response-timeout
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
frontend api
  bind ${proxy}:${web.api}
  http-request disable-l7-retry unless METH_GET
  default_backend api
frontend short
  bind ${proxy}:${web.short}
  default_backend short
  # Not /readyz: cached links are redirected without a database.
backend api
  option httpchk GET /readyz
${nodes(web.api)}
backend short
  # Not /readyz: cached links are redirected without a database.
  option httpchk GET /health
${nodes(web.short)}
listen redis
  bind ${proxy}:${ports.redis}
  mode tcp
  timeout client 1h
  timeout server 1h
  option tcp-check
  tcp-check send "info replication\\r\\n"
  tcp-check expect string role:master
${three.map((number) => `  server redis${number} ${redis(number)}:${ports.redis}`).join("\n")}
`;

const socket = (folder: string) => join(folder, "haproxy.sock");

export function haproxyPart(folder: string): Part {
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, config(folder));
  return new Part(folder, { name: "haproxy", command: "haproxy", args: ["-db", "-f", file] });
}

/**
 * How often the proxy has sent a request again: the first node may have logged the click before it was gone. 0 if the
 * proxy does not answer.
 */
export async function retriesOf(folder: string): Promise<number> {
  const client = connect(socket(folder));
  client.on("connect", () => client.write("show stat\n"));
  const csv = await text(client).catch(() => "");
  const [header = "", ...rows] = csv.split("\n").map((line) => line.split(","));
  const column = header.indexOf("wretr");
  const sums = rows.filter(([name, server]) => name === "short" && server === "BACKEND");
  return sums.reduce((sum, row) => sum + Number(row[column] || 0), 0);
}
