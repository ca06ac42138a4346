import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDataDir, processesOf, remove, tellingOfOpenTelemetry } from "./process.ts";
import { follow, keyIn, linkIn, ownerKey, type Service, shorten, startService } from "./service.ts";

const sh = (command: string) => promisify(execFile)("sh", ["-c", command]);

describe("a service, from its first start", () => {
  let dataDir: string;
  let service: Service;
  let key: string;
  let link: { shortUrl: string; id: string };

  beforeAll(async () => {
    dataDir = await newDataDir();
    service = await startService(dataDir, {
      env: { NODE_OPTIONS: tellingOfOpenTelemetry },
      fromSources: true,
    });
    key = await ownerKey(dataDir);
  });
  afterAll(async () => {
    await service.stop("SIGTERM");
    await remove(dataDir);
  });

  test("the first start prints all URLs, where the owner's key is and how to replace it, without colours", async () => {
    for (const path of ["\n", "/v1", "/docs", "/health"])
      expect(service.banner).toContain(`${service.api}${path}`);
    expect(service.banner).toContain(dataDir);
    expect(service.banner).toContain("PostgreSQL 18");
    expect(service.banner).toContain(join(dataDir, "owner-key"));
    expect(service.banner).toContain("./terse admin key create --email owner@terse.local");
    expect(service.banner).not.toContain("\u001B");
    expect((await fetch(`${service.api}/health`)).status).toBe(200);
    expect((await fetch(`${service.api}/docs`)).status).toBe(200);
  });

  test("the key is printed nowhere, and only the service's user can read its file", async () => {
    const { mode } = await stat(join(dataDir, "owner-key"));
    expect((mode & 0o777).toString(8)).toBe("600");
    expect(key).not.toBe("");
    expect(keyIn(service.output.stdout + service.output.stderr)).toBe("");
  });

  test("the printed curl line creates a link when pasted into a shell", async () => {
    const line = /^first_link_command (.*)$/m.exec(service.banner)?.[1] ?? "";
    const { stdout } = await sh(line);
    const { data } = JSON.parse(stdout);
    expect(data.shortUrl).toMatch(new RegExp(`^${service.short}/`));
    expect(await follow(data.shortUrl)).toBe("https://example.com/a/long/address");
  });

  test("the key is the owner's, on the Enterprise plan", async () => {
    const response = await fetch(`${service.api}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
    expect(await response.json()).toMatchObject({ data: { email: "owner@terse.local", plan: "enterprise" } });
  });

  test("the key works for the MCP host at the printed URL", async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(service.mcp, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    expect(service.mcp).toMatch(/^http:\/\/localhost:\d+\/mcp$/);
    expect((await ask({})).status).toBe(401);
    expect(await (await ask({ Authorization: `Bearer ${key}` })).text()).toContain('"create_link"');
  });

  test("the printed link signs the owner in, once", async () => {
    const open = async () => fetch(linkIn(service.banner), { redirect: "manual" });
    const answer = await open();
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
    const [Cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
    const me = await fetch(`${service.api}/v1/me`, { headers: { Cookie } });
    expect(await me.json()).toMatchObject({ data: { email: "owner@terse.local", operator: true } });
    expect((await open()).status).toBe(403);
  });

  test("nothing of OpenTelemetry is loaded without a collector, neither by the service nor by a worker", () => {
    expect(service.output.stderr).not.toContain("opentelemetry");
  });

  test("standard output is one JSON object per line, without the key, and with the sign-in link once", async () => {
    const lines = service.output.stdout.trim().split("\n");
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty("level");
    expect(lines.join("\n")).not.toContain(key);
    expect(
      lines.join("\n").split(new URL(linkIn(service.banner)).searchParams.get("token") ?? ""),
    ).toHaveLength(2);
  });

  test("SIGTERM stops it with exit code 0 and leaves no process", async () => {
    expect((await processesOf(dataDir)).length > 0).toBe(process.platform === "linux");
    link = await shorten(service, key, "https://example.com/kept");
    expect(await service.stop("SIGTERM")).toBe(0);
    expect(await processesOf(dataDir)).toEqual([]);
    expect(service.output.stderr).toBe("");
  });

  test("the second start prints the key only if it is asked to, and has all data", async () => {
    const ports = { HTTP_PORT: new URL(service.api).port, REDIRECT_PORT: new URL(service.short).port };
    service = await startService(dataDir, { env: ports });
    expect(keyIn(service.banner)).toBe("");
    expect(service.banner).toContain("--show-key");
    expect((await fetch(linkIn(service.banner), { redirect: "manual" })).status).toBe(302);
    expect(service.banner).toContain("key create --email owner@terse.local");
    expect(await follow(link.shortUrl)).toBe("https://example.com/kept");
  });

  test("Ctrl-C, sent to the whole process group, stops it with exit code 0 and leaves no process", async () => {
    expect(await service.stop("SIGINT", "group")).toBe(0);
    expect(await processesOf(dataDir)).toEqual([]);
    expect(service.output.stderr).toBe("");
  });

  test("closing the terminal stops it, too", async () => {
    service = await startService(dataDir, { args: ["--show-key"] });
    expect(keyIn(service.banner)).toBe(key);
    expect(await service.stop("SIGHUP", "group")).toBe(0);
    expect(await processesOf(dataDir)).toEqual([]);
  });

  test("after kill -9 it starts again on the running database, and no created link is lost", async () => {
    service = await startService(dataDir);
    const ids: string[] = [];
    const making = (async () => {
      for (let at = 0; ; at++) ids.push((await shorten(service, key, `https://example.com/${at}`)).id);
    })().catch(() => {});
    while (ids.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await service.stop("SIGKILL")).toBe("SIGKILL");
    await making;

    service = await startService(dataDir);
    expect(service.banner).toContain("was already running");
    for (const id of ids) {
      const headers = { Authorization: `Bearer ${key}` };
      expect((await fetch(`${service.api}/v1/links/${id}`, { headers })).status).toBe(200);
    }
    expect(await service.stop("SIGTERM")).toBe(0);
    expect(await processesOf(dataDir)).toEqual([]);
  });
});
