import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { run as runTerse } from "../../../packages/cli/src/run.ts";
import type { Service } from "../../../packages/client/test/service.ts";
import { decodeFile, readFile as readLinks } from "@terse/importers";
import { tempFolder, until } from "@terse/testkit";
import { parse } from "csv-parse/sync";
import { vi } from "vitest";
import { importFile } from "../src/import/import-file.ts";

/** The ways by which a file of links comes in. */

/** What became of a row: why it is refused, or the link. */
export type RowOutcome = string | { status: "created" | "existing"; link?: object };
/** What became of a file, by row. */
export type FileOutcome = { refusal: string } | { rows: Record<number, RowOutcome> };

export interface FileOptions {
  columns?: string[];
  domain?: string;
}

interface Row {
  row: number;
  short_url?: string | undefined;
  reason?: string | undefined;
  existing: boolean;
}

export type Door = (file: string, options: FileOptions) => Promise<FileOutcome>;

/** Opens the doors for an account of a service. After each import, its links are deleted. */
export function doorsOf(service: Service, { key, email }: { key: string; email: string }) {
  const headers = { Authorization: `Bearer ${key}` };

  async function links(): Promise<Record<string, unknown>[]> {
    const response = await fetch(`${service.url}/v1/links?limit=100`, { headers });
    return ((await response.json()) as { data: Record<string, unknown>[] }).data;
  }

  async function post(path: string, body: object): Promise<void> {
    const response = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  /** What became of rows, with the links as they are now, which are deleted. */
  async function outcomeOf(rows: readonly Row[]): Promise<FileOutcome> {
    const made = new Map((await links()).map((link) => [link["short_url"], link]));
    const outcome = { rows: Object.fromEntries(rows.map((each) => [each.row, rowOutcomeOf(each)])) };
    if (made.size > 0) await post("/v1/links/bulk/delete", { filter: {} });
    return outcome;

    function rowOutcomeOf({ short_url, reason, existing }: Row): RowOutcome {
      if (reason && !existing) return reason;
      const link = made.get(short_url ?? "");
      return { status: existing ? "existing" : "created", ...(link && { link: toldOf(link) }) };
    }
  }

  async function overRest(file: string, { columns, domain }: FileOptions, dry_run: boolean) {
    const query = new URLSearchParams({ ...(domain && { domain }), ...(dry_run && { dry_run: "true" }) });
    for (const column of columns ?? []) query.append("columns", column);
    const response = await fetch(`${service.url}/v1/imports?${query.toString()}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": file.endsWith(".json") ? "application/json" : "text/csv" },
      body: await readFile(file),
    });
    const { data, error } = (await response.json()) as { data: { job_id: string } | null; error: string };
    if (data === null) return { refusal: withoutName(error) };
    const read = async (path: string) => fetch(`${service.url}/v1/jobs/${data.job_id}${path}`, { headers });
    const job = async () => ((await (await read("")).json()) as { data: { ended_at: string | null } }).data;
    await service.core.jobs.run();
    await until(async () => (await job()).ended_at !== null);
    return outcomeOf(rowsOf(await (await read("/result")).text()));
  }

  async function whileJobsRun(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    void work.finally(() => (isOver = true));
    while (!isOver) {
      await service.core.jobs.run();
      await wait(5);
    }
    await work;
  }

  /** Runs the program `terse` in this process. */
  async function terse(args: readonly string[]): Promise<string> {
    let said = "";
    const spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, "write").mockImplementation((text) => {
        said += String(text);
        return true;
      }),
    );
    const { exitCode } = process;
    try {
      const ended = runTerse(args, {
        TERSE_URL: service.url,
        TERSE_KEY: key,
        XDG_CONFIG_HOME: await tempFolder(),
      });
      await whileJobsRun(ended);
      return said;
    } finally {
      for (const spy of spies) spy.mockRestore();
      process.exitCode = exitCode;
    }
  }

  return {
    "REST, dry run": async (file, options) => overRest(file, options, true),
    REST: async (file, options) => overRest(file, options, false),
    async "terse import"(file, { columns, domain }) {
      const output = join(await tempFolder(), "result.csv");
      const more = [
        ...(columns ? ["--columns", columns.join(",")] : []),
        ...(domain ? ["--domain", domain] : []),
      ];
      const said = await terse(["import", file, "--output", output, ...more]);
      const text = await readFile(output, "utf8").catch(() => null);
      if (text !== null) return outcomeOf(rowsOf(text));
      return { refusal: withoutName(said.replace(/^terse: /, "").trim()) };
    },
    async "admin link import"(file, { columns, domain }) {
      const result = join(await tempFolder(), "result.csv");
      try {
        await importFile(service.core, {
          email,
          source: file,
          result,
          interrupt: new AbortController().signal,
          ...(columns && { columns }),
          ...(domain && { domain }),
        });
      } catch (error) {
        return { refusal: withoutName((error as Error).message) };
      }
      return outcomeOf(rowsOf(await readFile(result, "utf8")));
    },
    /** As the page reads a file, and sends what it read. */
    async console(file, options) {
      const decoded = decodeFile(await readFile(file));
      if ("refusal" in decoded) return decoded;
      const read = readLinks(decoded.text, { ...options, ownHost: "short.test" });
      if ("refusal" in read) return { refusal: read.refusal };
      const rows = [...read.rows()];
      const sent = rows.filter(({ refusal }) => refusal === undefined);
      const account = await service.core.accounts.byEmail(email);
      const caller = service.core.caller({ kind: "account", account, credential: "internal" });
      const { results } =
        sent.length === 0
          ? { results: [] }
          : await caller.links.bulkCreate({
              links: sent.map(({ link }) => link) as never,
              on_error: "continue",
            });
      const answers = new Map(sent.map(({ row }, at) => [row, results[at]]));
      return outcomeOf(
        rows.map(({ row, refusal }) => {
          const { short_url, status, error } = answers.get(row) ?? {};
          return {
            row,
            short_url,
            reason: refusal ?? error,
            existing: status === 409 && short_url !== undefined,
          };
        }),
      );
    },
  } satisfies Record<string, Door>;
}

/** Rows of a result file, whichever program wrote it. */
const rowsOf = (csv: string): Row[] =>
  parse<Record<string, string>>(csv, { columns: true, bom: true }).map(
    ({ row, line, status, short_url, reason }) => ({
      row: Number(row ?? line),
      short_url,
      reason,
      existing: status === undefined ? Boolean(short_url && reason) : status === "exists",
    }),
  );

/** A refusal without the name of the file, or of the field that holds it. */
const withoutName = (sentence: string) => sentence.replace(/^(?:content|\/\S+): /, "");

/** The options of a link that differ from their defaults. */
const ordinary: Readonly<Record<string, unknown>> = {
  title: null,
  domain: "short.test",
  is_active: 1,
  tags: [],
  notes: null,
  starts_at: null,
  expires_at: null,
  click_limit: null,
  preview: null,
  has_password: false,
  rules: [],
  geo_rules: [],
  ab_test: null,
  fallback_url: null,
  redirect_status: 302,
  forward_path: false,
  forward_query: "none",
};

/** The fields of a link that are not ordinary, and where it leads. */
function toldOf(link: Readonly<Record<string, unknown>>): object {
  const names = Object.keys(ordinary).filter(
    (name) => JSON.stringify(link[name]) !== JSON.stringify(ordinary[name]),
  );
  return Object.fromEntries(["slug", "destination", ...names].map((name) => [name, link[name]]));
}
