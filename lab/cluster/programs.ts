import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where Debian has the programs of PostgreSQL's versions */
const debian = "/usr/lib/postgresql";

/** The folder of PostgreSQL's server programs, of its newest version; null if there are none. */
export function postgresPrograms(): string | null {
  const configured = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : [];
  const folders = versions
    .toSorted((one, other) => other - one)
    .map((version) => join(debian, `${version}/bin`));
  return [configured, ...folders].find((folder) => folder && existsSync(join(folder, "postgres"))) ?? null;
}

/** Debian's libfaketime, for programs with threads */
export const libfaketime = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketimeMT.so.1`;

const packages: Record<string, string> = {
  etcd: "etcd-server",
  patroni: "patroni",
  haproxy: "haproxy",
  "redis-server": "redis-server",
  "nats-server": "nats-server",
};

const isMissing = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0;

/** What the cluster needs and this machine lacks, each with the Debian package that has it. */
export function missingPrograms(): string[] {
  const missing = Object.keys(packages).filter(isMissing);
  const found = missing.map((program) => `${program} (Debian: ${packages[program]})`);
  if (postgresPrograms() === null) found.push("PostgreSQL's server programs (Debian: postgresql)");
  return found;
}

/** What a fault needs besides: the programs that this machine lacks. */
export const missingOf = (programs: readonly string[] = []): string[] =>
  programs.filter((program) => (program.startsWith("/") ? !existsSync(program) : isMissing(program)));
