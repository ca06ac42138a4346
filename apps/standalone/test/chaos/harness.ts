import { execFile } from "node:child_process";
import { type PostgresServer, startPostgres } from "@terse/postgres";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "@terse/testkit";
import { newDataDir, remove } from "../process.ts";
import { ownerKey, type Service, shorten, startService } from "../service.ts";
import { compare, type Counts, countsOf, type Row, waitForCounts } from "./counts.ts";
import { Load, type LoadOptions } from "./load.ts";

const linkCount = 20;

/** A service with a few links, and a database that outlives it. */
export class ChaosHarness {
  readonly dataDir: string;
  service!: Service;
  key = "";
  /** Short URLs */
  readonly links: string[] = [];
  #postgres: PostgresServer;
  #env: Record<string, string>;

  private constructor(dataDir: string, postgres: PostgresServer, env: Record<string, string>) {
    this.dataDir = dataDir;
    this.#postgres = postgres;
    this.#env = { DATABASE_URL: postgres.url, ...env };
  }

  /** `workers` is the number of redirecting processes. */
  static async open(workers = 1, env: Record<string, string> = {}): Promise<ChaosHarness> {
    const dataDir = await newDataDir();
    const postgres = await startPostgres({ dataDir: join(dataDir, "database") });
    const harness = new ChaosHarness(dataDir, postgres, { REDIRECT_WORKERS: String(workers), ...env });
    await harness.start();
    harness.key = await ownerKey(dataDir);
    while (harness.links.length < linkCount) {
      const destination = `https://example.com/${harness.links.length}`;
      harness.links.push((await shorten(harness.service, harness.key, destination)).shortUrl);
    }
    return harness;
  }

  get databaseUrl(): string {
    return this.#postgres.url;
  }

  /** Starts the service (again), on the same ports. */
  async start(): Promise<void> {
    this.service = await startService(this.dataDir, { env: this.#env });
    const { api, short } = this.service;
    this.#env = { ...this.#env, HTTP_PORT: new URL(api).port, REDIRECT_PORT: new URL(short).port };
  }

  counts(): Promise<Counts> {
    return countsOf(this.databaseUrl);
  }

  /** Follows the links and waits for `answers` responses. */
  async follow(answers: number, options?: LoadOptions): Promise<Load> {
    const load = new Load(this.links, options);
    await until(() => load.answered >= answers);
    return load;
  }

  /** Waits until everything is counted, and compares the counts with what the clients received. */
  async verdict(what: string, load: Load, before: Counts): Promise<Row> {
    return compare(what, load, before, await waitForCounts(this.databaseUrl, before, load));
  }

  /** Returns the resident memory of the service's processes, in MiB. */
  async memory(): Promise<number> {
    const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pgid=,rss="]);
    const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
    const own = rows.filter(([group]) => group === String(this.service.child.pid));
    return Math.round(own.reduce((sum, [, kib]) => sum + Number(kib), 0) / 1024);
  }

  /** Stops the database. */
  stopDatabase(): Promise<void> {
    return this.#postgres.stop();
  }

  /** Starts it again, at the same address. */
  async startDatabase(): Promise<void> {
    this.#postgres = await startPostgres({ dataDir: join(this.dataDir, "database") });
  }

  async close(): Promise<void> {
    await this.service.stop("SIGTERM");
    await this.#postgres.stop();
    await remove(this.dataDir);
  }
}
