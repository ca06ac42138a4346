import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultAccount } from "../../../postgres/src/account.ts";
import { findBinaries } from "../../../postgres/src/binaries.ts";
import { endConnections } from "../../src/db/connection.ts";
import { openPool } from "../../src/db/pool.ts";
import { openRedis } from "../../src/db/redis.ts";
import { tempFolder, until } from "@terse/testkit";
import { makeCertificate } from "@terse/testkit/certificate";
import { nextPort } from "@terse/testkit/ports";
import { redisMissing } from "@terse/testkit/redis";

type Command = readonly [program: string, args: string[]];

/** Starts a server that is stopped after the test. */
function startServer([program, args]: Command, owner?: { uid: number; gid: number }): void {
  const server = spawn(program, args, { ...owner, cwd: "/", stdio: "ignore" });
  onTestFinished(async () => {
    const exit = once(server, "exit");
    server.kill("SIGQUIT");
    server.kill("SIGTERM");
    await exit;
  });
}

describe("PostgreSQL with TLS", () => {
  async function startPostgres(): Promise<{ url: string; cert: string }> {
    const owner = await defaultAccount();
    const folder = await tempFolder();
    chmodSync(folder, 0o755);
    if (owner) chownSync(folder, owner.uid, owner.gid);
    const { cert, key } = await makeCertificate(folder, owner);
    const { initdb, postgres } = await findBinaries(owner, () => {});
    const [data, port] = [join(folder, "data"), nextPort()];
    const create = [`--pgdata=${data}`, "--username=terse", "--auth-local=reject", "--auth-host=trust"];
    execFileSync(initdb, [...create, "--no-sync"], { ...owner, cwd: "/", stdio: "ignore" });
    const settings = { ssl: "on", ssl_cert_file: cert, ssl_key_file: key, fsync: "off", port };
    const local = ["listen_addresses=127.0.0.1", "unix_socket_directories="];
    const all = [...Object.entries(settings).map((setting) => setting.join("=")), ...local];
    startServer([postgres, ["-D", data, ...all.flatMap((setting) => ["-c", setting])]], owner);
    return { url: `postgresql://terse@localhost:${port}/postgres`, cert };
  }

  const question = "select ssl, version from pg_stat_ssl where pid = pg_backend_pid()";
  async function ask(url: string): Promise<unknown> {
    const pool = openPool(url, { size: 1 });
    try {
      return (await pool.query(question)).rows[0];
    } finally {
      await endConnections(pool);
    }
  }

  it("is reached by sslmode=verify-full and the certificate's authority in sslrootcert, and not without", async () => {
    const { url, cert } = await startPostgres();
    const trusting = `${url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(cert)}`;
    await until(() => ask(trusting).then(Boolean, () => false));
    expect(await ask(trusting)).toEqual({ ssl: true, version: "TLSv1.3" });
    await expect(ask(`${url}?sslmode=verify-full`)).rejects.toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
    expect(await ask(url)).toEqual({ ssl: false, version: null });
  });
});

describe.skipIf(redisMissing)("Redis with TLS only", () => {
  it("is reached by rediss:// and the certificate's authority in sslrootcert, and not without", async () => {
    const folder = await tempFolder();
    const { cert, key } = await makeCertificate(folder);
    const port = nextPort();
    const files = [
      "--tls-cert-file",
      cert,
      "--tls-key-file",
      key,
      "--tls-ca-cert-file",
      cert,
      "--dir",
      folder,
    ];
    startServer(["redis-server", ["--port", "0", "--tls-port", port, "--tls-auth-clients", "no", ...files]]);
    const connect = (url: string) => {
      const redis = openRedis(url, () => {});
      onTestFinished(() => redis?.disconnect());
      return redis;
    };
    const trusting = connect(`rediss://localhost:${port}?sslrootcert=${encodeURIComponent(cert)}`);
    await until(() => trusting?.status === "ready");
    expect(await trusting?.ping()).toBe("PONG");
    const distrusting = connect(`rediss://localhost:${port}`);
    const [error] = (await once(distrusting as NonNullable<typeof distrusting>, "error")) as [Error];
    expect(error).toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect(() => openRedis("rediss://localhost?sslrootcert=/nowhere", () => {})).toThrow("/nowhere");
  });
});
