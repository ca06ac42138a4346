import { connect } from "node:net";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { names, node, type Number2, ports, proxy, redis, redisProxy, three } from "../addresses.ts";
import { Part } from "../part.ts";

const deployed = join(import.meta.dirname, "../../../deploy/haproxy.cfg");

/** One of the proxies in front of the nodes: the file in `deploy/` with three nodes, and a socket that tells its figures. */
export function proxyPart(folder: string, number: Number2, certificates: string): Part {
  const servers = (_: string, port: string) =>
    three.map((each) => `\tserver node${each} ${node(each)}:${port}`).join("\n");
  const config = readFileSync(deployed, "utf8")
    .replaceAll(/^\tserver node1 127\.0\.0\.1:(\d+)$/gm, servers)
    .replace(/^global\n/m, `global\n\tstats socket ${socket(folder, number)} mode 600\n`);
  const env = {
    TERSE_API: names.api,
    TERSE_MCP: names.mcp,
    TERSE_CERTS: certificates,
    TERSE_HTTP: `${proxy(number)}:${ports.http}`,
    TERSE_HTTPS: `${proxy(number)}:${ports.https}`,
  };
  return haproxy(folder, `proxy${number}`, config, env);
}

/** Leads to the Redis that says it is the primary. */
export function redisProxyPart(folder: string): Part {
  const config = `
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
listen redis
  bind ${redisProxy}:${ports.redis}
  option tcp-check
  tcp-check send "info replication\\r\\n"
  tcp-check expect string role:master
${three.map((number) => `  server redis${number} ${redis(number)}:${ports.redis}`).join("\n")}
`;
  return haproxy(folder, "redis-proxy", config);
}

function haproxy(folder: string, name: string, config: string, env: Record<string, string> = {}): Part {
  const file = join(folder, `${name}.cfg`);
  writeFileSync(file, config);
  return new Part(folder, { name, command: "haproxy", args: ["-db", "-f", file], env });
}

const socket = (folder: string, number: Number2) => join(folder, `proxy${number}.sock`);

/**
 * How often a proxy has sent a redirect's request again since its start: the first node may have logged the click before it
 * was gone. 0 if the proxy does not answer.
 */
export async function retriesOf(folder: string, number: Number2): Promise<number> {
  const client = connect(socket(folder, number));
  client.on("connect", () => client.write("show stat\n"));
  const csv = await text(client).catch(() => "");
  const [header = "", ...rows] = csv.split("\n").map((line) => line.split(","));
  const column = header.indexOf("wretr");
  const sums = rows.filter(([name = "", server]) => name.startsWith("short") && server === "BACKEND");
  return sums.reduce((sum, row) => sum + Number(row[column] || 0), 0);
}
