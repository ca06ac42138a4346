import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { listen } from "@terse/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearer, startApp } from "../../apps/mcp/test/app.ts";

/** The official conformance suite, run as its authors publish it against this server over HTTP. */

const program = join(
  import.meta.dirname,
  "../../apps/mcp/node_modules/@modelcontextprotocol/conformance/dist/index.js",
);

/** Scenarios whose checks all apply to this server */
const applicable: Record<string, string[]> = {
  "2025-11-25": [
    "dns-rebinding-protection",
    "ping",
    "prompts-list",
    "resources-list",
    "server-initialize",
    "tools-list",
  ],
  "2026-07-28": [
    "caching",
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "prompts-list",
    "resources-list",
    "sep-2164-resource-not-found",
    "server-sse-multiple-streams",
    "server-stateless",
    "tools-list",
  ],
};

/**
 * The others call tools, prompts and resources of fixed names (`test_simple_text`, `test://static-text`) that a server
 * made for testing has, or are about what this one does not offer: sessions, logging, sampling, elicitation, arguments
 * repeated in headers, resources to subscribe to, tasks, skills.
 */
const fixtures = new Set([
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
]);

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  errorMessage?: string;
}

let url: string;
let results: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const app = await startApp();
  const key = await app.someKey();
  results = await mkdtemp(join(tmpdir(), "terse-conformance-"));
  // The suite sends no credential: this wrapper adds one, and changes nothing else.
  const listener = await listen({
    name: "conformance",
    host: "127.0.0.1",
    port: 0,
    portSetting: "MCP_PORT",
    app: {
      fetch(request, env) {
        const signed = new Request(request);
        signed.headers.set("Authorization", bearer(key).Authorization);
        return app.app.fetch(signed, env);
      },
    },
  });
  url = `http://localhost:${listener.port}/mcp`;
  close = () => listener.close(0);
});
afterAll(async () => {
  await close();
  await rm(results, { recursive: true });
});

describe.each(Object.keys(applicable))("revision %s", (revision) => {
  it.each(applicable[revision] ?? [])("%s", async (scenario) => {
    const folder = join(results, `${revision}-${scenario}`);
    const which = ["--url", url, "--scenario", scenario, "--spec-version", revision, "-o", folder];
    // Its exit code says whether a check failed; the file says which.
    await promisify(execFile)(process.execPath, [program, "server", ...which]).catch(() => {});
    const [run = "nothing was run"] = await readdir(folder);
    const checks = JSON.parse(await readFile(join(folder, run, "checks.json"), "utf8")) as Check[];
    const failures = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    expect(failures.filter(({ id }) => !fixtures.has(id))).toEqual([]);
    for (const { errorMessage } of failures)
      expect(errorMessage).toMatch(/^Not testable: server does not list/);
    expect(checks.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThan(0);
  });
});
