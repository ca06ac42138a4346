import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, readFileSync } from "node:fs";
import { appendFile, cp, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { tempFolder, until } from "@terse/testkit";
import { nextPort } from "@terse/testkit/ports";
import pg from "pg";
import { onTestFinished } from "vitest";
import { defaultAccount } from "../../../postgres/src/account.ts";
import { findBinaries } from "../../../postgres/src/binaries.ts";

/** A PostgreSQL of its own, on a port of 127.0.0.1. */
export interface TestPostgres {
  /** The folder of its files */
  readonly data: string;
  readonly port: string;
  /** As superuser */
  readonly url: string;
  /** Runs one statement on a connection of its own. */
  query<Row = unknown>(statement: string): Promise<Row[]>;
  kill(): Promise<void>;
  /** Stops answering, but keeps its connections open, as a machine does that is paused. */
  freeze(): void;
  thaw(): void;
  restart(): Promise<void>;
}

const owner = await defaultAccount();
const user = "terse";

/** The programs write nothing that a crash of the machine could destroy: only their processes die here. */
const settings = {
  fsync: "off",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "32MB",
  wal_level: "replica",
  wal_receiver_status_interval: "100ms",
  wal_retrieve_retry_interval: "100ms",
};

async function folderOfServer(): Promise<string> {
  const folder = await tempFolder();
  chmodSync(folder, 0o755);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return join(folder, "data");
}

/** Starts a server on a folder of files; without `port` among the settings, on a free one. */
async function startOn(data: string, more: Record<string, string> = {}): Promise<TestPostgres> {
  const { postgres } = await findBinaries(owner, () => {});
  const port = more.port ?? nextPort();
  const url = `postgresql://${user}@127.0.0.1:${port}/postgres`;
  const all = Object.entries({ ...settings, ...more, port }).flatMap((setting) => ["-c", setting.join("=")]);
  let server: ChildProcess;
  const query = async <Row>(statement: string) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query(statement)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, "exit");
    signal("SIGKILL");
    await exit;
  };
  /** Each of its processes has a group of its own. */
  const signal = (name: NodeJS.Signals) => {
    const pid = server.pid ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
    for (const one of [pid, ...children.map(Number)]) {
      try {
        process.kill(one, name);
      } catch (error) {
        // It has ended since.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  };
  const restart = async () => {
    server = spawn(postgres, ["-D", data, ...all], { ...owner, cwd: "/", stdio: "ignore", detached: true });
    await until(() =>
      query("select").then(
        () => true,
        () => false,
      ),
    );
  };
  onTestFinished(kill);
  await restart();
  return {
    data,
    port,
    url,
    query,
    kill,
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    restart,
  };
}

/** Starts a primary whose database is empty. */
export async function startPrimary(more: Record<string, string> = {}): Promise<TestPostgres> {
  const { initdb } = await findBinaries(owner, () => {});
  const data = await folderOfServer();
  const create = [`--pgdata=${data}`, `--username=${user}`, "--auth=trust", "--no-sync", "--encoding=UTF8"];
  await promisify(execFile)(initdb, create, { ...owner, cwd: "/" });
  return startOn(data, more);
}

/** Copies the files of a running server, as a backup does; returns the folder of the copy. */
export async function copyFiles(server: TestPostgres): Promise<string> {
  const data = await folderOfServer();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query("select pg_backup_start('copy', fast => true)");
  await cp(server.data, data, {
    recursive: true,
    filter: (source) => !/postmaster\.(pid|opts)$|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+/.test(source),
  });
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop()");
  await client.end();
  // What was written meanwhile, without which the copy is no whole.
  await cp(join(server.data, "pg_wal"), join(data, "pg_wal"), { recursive: true });
  await writeFile(join(data, "backup_label"), rows[0]?.labelfile ?? "");
  if (owner) await promisify(execFile)("chown", ["-R", `${owner.uid}:${owner.gid}`, data]);
  chmodSync(data, 0o700);
  return data;
}

/** Starts a server on a copy of files, as one that a backup is restored to: it begins a timeline of its own. */
export async function startRestored(data: string, more: Record<string, string> = {}): Promise<TestPostgres> {
  await writeFile(join(data, "recovery.signal"), "");
  return startOn(data, { restore_command: "false", ...more });
}

/** Starts a standby that follows a primary, from a copy of the running primary's files. */
export async function startStandby(
  primary: TestPostgres,
  more: Record<string, string> = {},
): Promise<TestPostgres> {
  const data = await copyFiles(primary);
  await writeFile(join(data, "standby.signal"), "");
  const source = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${user}'`;
  await appendFile(join(data, "postgresql.auto.conf"), `${source}\n`);
  const standby = await startOn(data, { hot_standby: "on", ...more });
  await until(
    async () => (await primary.query("select from pg_stat_replication where state = 'streaming'")).length > 0,
  );
  return standby;
}

/** Lets a standby receive all that is written now, and nothing after that. */
export async function cutOff(primary: TestPostgres, standby: TestPostgres): Promise<void> {
  const [written] = await primary.query<{ at: string }>("select pg_current_wal_insert_lsn() as at");
  const holds = async (condition: string) => {
    const [row] = await standby.query<{ holds: boolean }>(`select ${condition} as holds`);
    return row?.holds === true;
  };
  await until(() => holds(`pg_last_wal_replay_lsn() >= '${written?.at}'`));
  // Pausing the replay would not do: a promotion ends the pause and replays all that was received.
  await standby.query("alter system reset primary_conninfo");
  await standby.query("select pg_reload_conf()");
  await until(() => holds("not exists (select from pg_stat_wal_receiver)"));
}

/** An address that leads to one server at a time; open connections stay where they are. */
export async function startSwitch(server: TestPostgres) {
  let { port } = server;
  const forwarder = createServer((client) => {
    const database = connect(Number(port), "127.0.0.1");
    client.pipe(database).pipe(client);
    client.on("error", () => database.destroy());
    database.on("error", () => client.destroy());
  });
  forwarder.listen(0, "127.0.0.1");
  await once(forwarder, "listening");
  onTestFinished(() => void forwarder.close());
  return {
    url: server.url.replace(`:${port}/`, `:${(forwarder.address() as AddressInfo).port}/`),
    switchTo(other: TestPostgres) {
      ({ port } = other);
    },
  };
}

/** Makes a standby the primary; resolves when it takes changes. */
export async function promote(standby: TestPostgres): Promise<void> {
  await standby.query("select pg_promote()");
}

/** A URL of a database on several servers, in the form of libpq. */
export const urlOf = (servers: readonly Pick<TestPostgres, "port">[], database: string, more = ""): string =>
  `postgresql://${user}@${servers.map(({ port }) => `127.0.0.1:${port}`).join()}/${database}${more}`;
