import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  readlink,
  rename,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { startPostgres } from "@terse/postgres";
import { tempFolder, until } from "@terse/testkit";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import { createCore } from "../../../src/index.ts";

/** A PostgreSQL server that a test may kill. */
export interface Server {
  /** Folder of its socket */
  sockets: string;
  /** Runs a statement on a connection of its own, as superuser. */
  query<Row>(text: string): Promise<Row[]>;
  /** Ends it in order (SIGINT), or as in a crash (SIGQUIT). */
  end(how: "SIGINT" | "SIGQUIT"): Promise<void>;
}

/** Servers of one cluster, of which the service finds one at a time. */
export interface Servers {
  /** Leads to the server of the last `switchTo` */
  url: string;
  /** Copies the files of a server that does not run. */
  copy(of: string, name: string): void;
  /** Starts a server on the files with this name; as a standby of `primary`, if that is given. */
  start(name: string, primary?: Server): Promise<Server>;
  switchTo(server: Server): Promise<void>;
}

/** Makes the files of a server with an empty database of the service; their name is "first". */
export async function makeServers(): Promise<Servers> {
  const folder = await tempFolder();
  await chmod(folder, 0o755);
  const made = await startPostgres({ dataDir: join(folder, "made"), durable: false });
  const core = await createCore({ databaseUrl: made.url, shortBase: "http://short.test" });
  await core.migrate();
  await core.close();
  const [found] = await query<{ files: string; pid: string }>(
    made.adminUrl,
    `select current_setting('data_directory') as files, split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`,
  );
  if (!found) throw new Error("Expected a row");
  const program = await readlink(`/proc/${found.pid}/exe`);
  const account = await stat(found.files);
  const superuser = new URL(made.adminUrl.replace(/@.*?\//, "@host/")).username;
  await made.stop();
  const copyFiles = (from: string, to: string) => void execFileSync("cp", ["-a", from, join(folder, to)]);
  copyFiles(found.files, "first");
  const urlOf = (sockets: string) => `postgresql://${superuser}@${encodeURIComponent(sockets)}:5432/terse`;

  return {
    url: urlOf(join(folder, "current")),
    copy: (of, name) => copyFiles(join(folder, of), name),

    async start(name, primary) {
      const [files, sockets] = [join(folder, name), join(folder, `sockets-${name}`)];
      await mkdir(sockets, { recursive: true });
      await chown(sockets, account.uid, account.gid);
      const settings = ["listen_addresses=", `unix_socket_directories=${sockets}`, "fsync=off"];
      if (primary) {
        await writeFile(join(files, "standby.signal"), "");
        const connection = `primary_conninfo = 'host=${primary.sockets} user=${superuser}'`;
        await appendFile(join(files, "postgresql.auto.conf"), `${connection}\n`);
      }
      const server = spawn(program, ["-D", files, ...settings.flatMap((setting) => ["-c", setting])], {
        uid: account.uid,
        gid: account.gid,
        cwd: "/",
        env: { LC_ALL: "C" },
        stdio: "ignore",
      });
      const ended = once(server, "exit");
      const end = async (how: "SIGINT" | "SIGQUIT") => {
        server.kill(how);
        await ended;
      };
      onTestFinished(() => end("SIGQUIT"));
      const self: Server = { sockets, end, query: (text) => query(urlOf(sockets), text) };
      const isReady = () =>
        self.query("select").then(
          () => true,
          () => false,
        );
      await until(isReady);
      return self;
    },

    async switchTo({ sockets }) {
      await symlink(sockets, join(folder, "next"));
      await rename(join(folder, "next"), join(folder, "current"));
    },
  };
}

/** Lets a standby receive all that is written now, and nothing after that. */
export async function cutOff(primary: Server, standby: Server): Promise<void> {
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

async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row & object>(text)).rows;
  } finally {
    await client.end();
  }
}
