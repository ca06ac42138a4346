import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { readSettings, settingsTable } from "@terse/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { makeCertificate } from "../../packages/testkit/src/certificate.ts";
import { isMissing } from "../../packages/testkit/src/index.ts";
import { root } from "../pnpm.ts";
import { renderChart } from "./render-chart.ts";

const folder = join(root, "deploy");
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const yaml = (text: string) => parse(text, { strict: true, uniqueKeys: true });

/** The names of settings; of a provider's, with any name of a provider. */
const settings = [...settingsTable().matchAll(/^\| `([A-Z_{}]+)`/gm)].map(
  ([, name = ""]) => new RegExp(`^${name.replace("{NAME}", "[A-Z]+")}(?:_FILE)?$`),
);
const ofNode = /^(?:NODE_OPTIONS|NODE_COMPILE_CACHE|PATH|TMPDIR)$/;
const isSetting = (name: string) => ofNode.test(name) || settings.some((pattern) => pattern.test(name));
const defaults = readSettings({}, root);
const ports = [defaults.HTTP_PORT, defaults.REDIRECT_PORT, defaults.MCP_PORT];
const allPorts = new Set([...ports, defaults.ADMIN_PORT]);

/** Names that the lines of a file set, in lines that are commented out too. */
const named = (file: string, pattern: RegExp) =>
  [...read(file).matchAll(pattern)].flatMap(([, names = ""]) =>
    [...names.matchAll(/([A-Z_]+)=/g)].map(([, name = ""]) => name),
  );

const chart = {
  image: "registry.test/terse:1",
  secret: "terse",
  ingress: { api: "a.test", short: "s.test" },
};

const chartWith = (values: object) => renderChart(join(folder, "helm/terse"), { ...values }).map(yaml);

describe("the files in deploy/", () => {
  it("name only settings that exist", () => {
    const compose = yaml(read("compose.yaml")).services.terse.environment;
    const nodes = chartWith(chart).find(({ kind }) => kind === "StatefulSet");
    const names = [
      ...named("terse.env", /^#?([A-Z_]+=)/gm),
      ...["systemd/terse.service", "systemd/terse-redirect.service", "quadlet/terse.container"].flatMap(
        (file) => named(file, /^#?Environment=(.*)$/gm),
      ),
      ...named("Containerfile", /^ENV (.*)$/gm),
      ...Object.keys(compose),
      ...nodes.spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name),
    ];
    expect(names).toEqual(expect.arrayContaining(["BASE_URL", "DATA_DIR", "DATABASE_URL_FILE", "HOST"]));
    expect(names.filter((name) => !isSetting(name))).toEqual([]);
  });

  it("have settings that the service accepts, and the defaults in comments", () => {
    const given = parseEnv(read("terse.env"));
    const { HOST, REDIRECT_WORKERS, LOG_LEVEL, LOG_ADDRESSES } = readSettings(given, root);
    const commented = read("terse.env").replaceAll(/^#(HOST|.*_PORT|REDIRECT_WORKERS|LOG_.*)=/gm, "$1=");
    const all = readSettings(parseEnv(commented), root);
    expect(all).toMatchObject({ HOST, REDIRECT_WORKERS, LOG_LEVEL, LOG_ADDRESSES });
    expect([all.HTTP_PORT, all.REDIRECT_PORT, all.MCP_PORT]).toEqual(ports);
  });

  it("have a Quadlet file that Podman 4.4 can read, with a writable /tmp", () => {
    const [, container = ""] = read("quadlet/terse.container").split(/^\[Container\]$|^\[Service\]$/m);
    const keys = [...container.matchAll(/^([A-Za-z]+)=/gm)].map(([, key]) => key);
    const ofFirstVersion =
      "ContainerName Image EnvironmentFile Environment Volume PublishPort Secret RunInit ReadOnly NoNewPrivileges DropCapability PodmanArgs";
    expect(keys.filter((key = "") => !ofFirstVersion.split(" ").includes(key))).toEqual([]);
    // The name of a volume is a key of Podman 4.7.
    expect(readdirSync(join(folder, "quadlet"))).toEqual(["terse.container"]);
    expect(container).toMatch(/^PodmanArgs=.*--tmpfs=\/tmp\b/m);
  });

  it("name the ports that the listeners have", () => {
    const [http, redirect, mcp] = ports;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const { parentPath, name } of files) {
      const text = readFileSync(join(parentPath, name), "utf8");
      const given = [...text.matchAll(/(?<![\d.])3\d{3}(?!\d)/g)].map(Number);
      expect(
        given.filter((port) => !allPorts.has(port)),
        name,
      ).toEqual([]);
    }
    for (const [name, port] of [
      ["API", http],
      ["SHORT", redirect],
      ["MCP", mcp],
    ] as const) {
      expect(read("Caddyfile")).toContain(`{$TERSE_${name}_NODES:127.0.0.1:${port}}`);
      expect(read("compose.yaml")).toContain(`TERSE_${name}_NODES: terse:${port}`);
      expect(read("haproxy.cfg")).toMatch(
        new RegExp(`backend ${name.toLowerCase()}\n[^]*?127.0.0.1:${port}\n`),
      );
    }
    const [nodes, service] = ["StatefulSet", "Service"].map((kind) =>
      chartWith(chart).find((document) => document.kind === kind),
    );
    const container = nodes.spec.template.spec.containers[0];
    const byName = { http, redirect, mcp, admin: defaults.ADMIN_PORT };
    for (const { name, containerPort } of container.ports)
      expect(containerPort).toBe(byName[name as keyof typeof byName]);
    for (const { port, targetPort } of service.spec.ports)
      expect(port).toBe(byName[targetPort as keyof typeof byName]);
    expect(service.spec.ports).toHaveLength(ports.length);
    expect(nodes.spec.template.metadata.annotations["prometheus.io/port"]).toBe(`${byName.admin}`);
  });

  it("leave time to stop after DRAIN_DELAY", () => {
    const { spec } = chartWith(chart).find(({ kind }) => kind === "StatefulSet").spec.template;
    const given = spec.containers[0].env.find(({ name }: { name: string }) => name === "DRAIN_DELAY");
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(given.value) + 40);
  });

  it("make a chart with and without its optional parts", () => {
    const documents = chartWith(chart);
    expect(new Set(documents.map(({ kind }) => kind))).toEqual(
      new Set(["Ingress", "NetworkPolicy", "PodDisruptionBudget", "Service", "StatefulSet"]),
    );
    expect(new Set(documents.map(({ metadata }) => metadata.name))).toEqual(new Set(["terse"]));
    const least = chartWith({}).find(({ kind }) => kind === "StatefulSet");
    expect(least.spec.template.spec.containers[0]).not.toHaveProperty("envFrom");
    expect(chartWith({ monitoringNamespace: "" })).toHaveLength(3);
  });

  it("make no chart of several nodes without a database, which each would have for itself", () => {
    expect(() => chartWith({ replicas: 2 })).toThrow(/^replicas: more than one node needs a database/);
    for (const values of [{ secret: "terse" }, { settings: { DATABASE_URL: "postgres://db" } }])
      expect(chartWith({ replicas: 2, ...values })).toHaveLength(4);
  });

  it("make no rule of the Ingress for every host", () => {
    const ingress = (hosts: object) => chartWith({ ingress: hosts }).find(({ kind }) => kind === "Ingress");
    expect(ingress({})).toBeUndefined();
    const { tls, rules } = ingress({ api: "a.test", mcp: "m.test" }).spec;
    expect(tls[0].hosts).toEqual(["a.test", "m.test"]);
    expect(rules.map(({ host }: { host: string }) => host)).toEqual(["a.test", "m.test"]);
  });

  it("keep the metrics from all namespaces but the one that watches", () => {
    const { spec } = chartWith(chart).find(({ kind }) => kind === "NetworkPolicy");
    const [open, watched] = spec.ingress;
    expect(open.ports.map(({ port }: { port: string }) => port)).toEqual(["http", "redirect", "mcp"]);
    expect(watched).toMatchObject({ ports: [{ port: "admin" }], from: [expect.anything()] });
  });

  it("start again for ever, and let no reader of logs drop lines", () => {
    for (const file of [
      "systemd/terse.service",
      "systemd/terse-redirect.service",
      "quadlet/terse.container",
    ]) {
      const [unit = "", service = ""] = read(file).split(/^\[Service\]$/m);
      expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
      expect(service).toMatch(/^RestartSec=5s$/m);
      expect(service).toMatch(/^LogRateLimitIntervalSec=0$/m);
    }
    for (const { logging } of Object.values<{ logging: object }>(yaml(read("compose.yaml")).services))
      expect(logging).toMatchObject({ options: { "max-size": expect.any(String) } });
  });

  it("name one image in all places, and guess no host names in Compose", () => {
    const tags = [
      /TERSE_IMAGE:-(\S+)\}/.exec(read("compose.yaml"))?.[1],
      /^Image=(.*)$/m.exec(read("quadlet/terse.container"))?.[1],
      /TAG:-(\S+)\}/.exec(read("image.sh"))?.[1],
      ...[...readFileSync(join(root, "docs/deploy.md"), "utf8").matchAll(/--tag (\S+)/g)].map(
        ([, tag]) => tag,
      ),
    ];
    expect(new Set(tags)).toEqual(new Set(["localhost/terse:latest"]));
    const { environment } = yaml(read("compose.yaml")).services.caddy;
    for (const name of ["TERSE_API", "TERSE_SHORT", "TERSE_MCP"])
      expect(environment[name]).toMatch(/^\$\{TERSE_[A-Z]+:\?/);
  });

  it.each(["image.sh", "image-root.sh"])("%s is a shell script", (file) => {
    expect(spawnSync("sh", ["-n", join(folder, file)]).status).toBe(0);
  });

  const hosts = { TERSE_API: "a.test", TERSE_SHORT: "s.test", TERSE_MCP: "m.test" };
  const check = (command: string, args: string[], env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      env: { ...process.env, ...hosts, ...env },
      encoding: "utf8",
    });
    expect(status, stdout + stderr).toBe(0);
    return stdout + stderr;
  };
  it.skipIf(isMissing("systemd-analyze"))("have units that systemd accepts", () => {
    const temporary = mkdtempSync(join(tmpdir(), "terse-units-"));
    onTestFinished(() => rmSync(temporary, { recursive: true }));
    for (const name of ["terse.service", "terse-redirect.service"]) {
      const path = join(temporary, name);
      writeFileSync(path, read(`systemd/${name}`).replace("/usr/local/bin/node", process.execPath));
      expect(check("systemd-analyze", ["verify", path])).toBe("");
    }
  });

  it.skipIf(isMissing("caddy"))("have a Caddyfile that Caddy accepts", () => {
    const output = check("caddy", ["adapt", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"]);
    expect(output).toContain('"try_duration":10000000000');
  });

  it.skipIf(isMissing("haproxy"))("have a configuration that HAProxy accepts", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "terse-haproxy-"));
    onTestFinished(() => rmSync(temporary, { recursive: true }));
    const { cert, key } = await makeCertificate(temporary);
    const both = join(temporary, "both.pem");
    writeFileSync(both, [cert, key].map((path) => readFileSync(path, "utf8")).join("\n"));
    check("haproxy", ["-c", "-f", join(folder, "haproxy.cfg")], { TERSE_CERTS: both });
  });
});
