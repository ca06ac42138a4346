import { execFile, execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { etcd, type Number3, ports, postgres, three } from "../addresses.ts";
import { Part } from "../part.ts";
import { postgresPrograms } from "../programs.ts";

const programs = postgresPrograms() ?? "";

/** PostgreSQL refuses to run as root. */
function user(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** One of three PostgreSQLs, with Patroni, which makes one of them the primary. */
export function postgresPart(folder: string, number: Number3): Part {
  const owner = user();
  const home = join(folder, `pg${number}`);
  mkdirSync(home);
  const address = `${postgres(number)}:${ports.postgres}`;
  const rest = `${postgres(number)}:${ports.patroni}`;
  const config = {
    scope: "terse",
    name: `pg${number}`,
    restapi: { listen: rest, connect_address: rest },
    // By etcd's first API: with the later one, Patroni before 3.0.3 overwrites the lock of another server when it wakes up.
    etcd: { hosts: three.map((each) => `${etcd(each)}:${ports.etcd}`) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        // What the primary has confirmed is on a standby, so that no failover loses it.
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, wal_log_hints: "on", hot_standby_feedback: "on" },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
      pg_hba: ["host all all 127.0.0.0/8 trust", "host replication all 127.0.0.0/8 trust"],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: join(home, "data"),
      bin_dir: programs,
      pgpass: join(home, "pgpass"),
      authentication: {
        superuser: { username: "postgres", password: "postgres" },
        replication: { username: "replicator", password: "replicator" },
      },
      basebackup: [{ checkpoint: "fast" }],
      parameters: { unix_socket_directories: home },
    },
  };
  const file = join(home, "patroni.yaml");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config, null, 2));
  if (owner) for (const path of [home, file]) chownSync(path, owner.uid, owner.gid);
  return new Part(folder, {
    name: `pg${number}`,
    command: "patroni",
    args: [file],
    env: { LC_ALL: "C.UTF-8" },
    user: owner,
    others: () => {
      const pidFile = join(home, "data", "postmaster.pid");
      if (!existsSync(pidFile)) return [];
      const [pid = ""] = readFileSync(pidFile, "utf8").split("\n");
      // After a kill the file stays, and its number may be another program's by now.
      const program = `/proc/${pid}/cmdline`;
      return existsSync(program) && readFileSync(program, "utf8").includes(home) ? [Number(pid)] : [];
    },
  });
}

/** The PostgreSQL that says it is the primary and has the lock in etcd; null if none does. */
export async function primaryNumber(): Promise<Number3 | null> {
  const answers = await Promise.all(
    three.map(async (number) => {
      const signal = AbortSignal.timeout(2000);
      const url = `http://${postgres(number)}:${ports.patroni}/primary`;
      const isPrimary = await fetch(url, { signal }).then(
        ({ status }) => status === 200,
        () => false,
      );
      return isPrimary ? number : null;
    }),
  );
  return answers.find((number) => number !== null) ?? null;
}

/** Runs a statement on one PostgreSQL, and returns its rows, columns separated by a bar. */
export async function query(number: Number3, database: string, statement: string): Promise<string[]> {
  const args = ["-X", "-h", postgres(number), "-U", "postgres", "-d", database, "-Atc", statement];
  const { stdout } = await promisify(execFile)(join(programs, "psql"), args, { timeout: 60_000 });
  return stdout.split("\n").filter((line) => line !== "");
}
