import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { run } from "../../packages/testkit/src/index.ts";
import { makeCertificate } from "../../packages/testkit/src/certificate.ts";
import { root } from "../../scripts/pnpm.ts";

/** The proxies as `deploy/` configures them, in front of nodes that only redirect. */

export const host = "go.example.com";
const deployed = (file: string) => readFileSync(join(root, "deploy", file), "utf8");

type Command = readonly [string, ...string[]];

interface Place {
  folder: string;
  /** Ports */
  http: string;
  https: string;
  /** Ports of the nodes for short links; HAProxy accepts options of the server after one. */
  nodes: readonly string[];
}

/** Each returns the command that starts the proxy with the file of `deploy/`, on other ports and with a certificate for tests. */
export const proxies = {
  async caddy({ folder, http, https, nodes }: Place): Promise<Command> {
    const forTest = `{\n\thttp_port ${http}\n\thttps_port ${https}\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n\tstorage file_system ${folder}\n`;
    const config = join(folder, "Caddyfile");
    writeFileSync(config, deployed("Caddyfile").replace(/^\{\n/m, forTest));
    const names = [`TERSE_API=api.example.com`, `TERSE_SHORT=${host}`, `TERSE_MCP=mcp.example.com`];
    const upstreams = nodes.map((port) => `127.0.0.1:${port}`).join(" ");
    const nodeList = `TERSE_SHORT_NODES=${upstreams}`;
    return ["env", ...names, nodeList, "caddy", "run", "--config", config, "--adapter", "caddyfile"];
  },
  async haproxy({ folder, http, https, nodes }: Place): Promise<Command> {
    const { cert, key } = await makeCertificate(folder);
    const both = [cert, key].map((path) => readFileSync(path, "utf8"));
    writeFileSync(join(folder, "both.pem"), both.join("\n"));
    const servers = nodes.map((port, at) => `\tserver node${at + 1} 127.0.0.1:${port}`).join("\n");
    const config = join(folder, "haproxy.cfg");
    writeFileSync(config, deployed("haproxy.cfg").replaceAll("\tserver node1 127.0.0.1:3001", servers));
    const settings = ["TERSE_API=api.example.com", "TERSE_MCP=mcp.example.com"];
    const binds = [`TERSE_HTTP=127.0.0.1:${http}`, `TERSE_HTTPS=127.0.0.1:${https}`];
    const certificates = `TERSE_CERTS=${join(folder, "both.pem")}`;
    return ["env", ...settings, ...binds, certificates, "haproxy", "-db", "-f", config];
  },
};

/** Starts a node on this port, with its data in a folder of the same name in `folder`. */
export async function startNode(
  port: string,
  folder: string,
  databaseUrl: string,
  more: Record<string, string> = {},
): Promise<ReturnType<typeof run>> {
  const node = run(join(root, "apps/redirect/src/main.ts"), {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    SHORT_BASE: `https://${host}`,
    REDIRECT_PORT: port,
    ADMIN_PORT: "0",
    REDIRECT_WORKERS: "0",
    DATA_DIR: join(folder, port),
    TRUSTED_PROXIES: "127.0.0.1",
    ...more,
  });
  await node.line();
  return node;
}

/** Returns the function that asks the proxy for the link once and returns the status, or the error's code. */
export function visitor(port: string, slug: string): () => Promise<string> {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, servername: host });
  return () =>
    new Promise((resolve) => {
      request({ agent, port, host: "127.0.0.1", path: `/${slug}`, headers: { host } }, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(String(answer.statusCode)));
      })
        .once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
        .end();
    });
}
