import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@terse/testkit";
import { type Options, run, type Run } from "./process.ts";

export interface Service extends Run {
  /** What a terminal would show as the banner: the fields of the event `banner`, a line each */
  banner: string;
  /** URLs from the banner */
  api: string;
  short: string;
  mcp: string;
  admin: string;
  /** Sends a signal to the whole group, as Ctrl-C does, or only to the process; returns how it ended. */
  stop(signal: NodeJS.Signals, to?: "group" | "process"): Promise<number | NodeJS.Signals | null>;
}

/** Starts the service and waits for its banner. */
export const startService = (
  dataDir: string,
  { args = [], ...options }: Options & { args?: string[] } = {},
): Promise<Service> =>
  serving(run("main.ts", args, { ...options, env: { DATA_DIR: dataDir, ...options.env } }));

/** Milliseconds in which a machine that does much else starts the service: only a hang takes longer. */
const startMs = 120_000;

/** The fields of an event in a log, a line each; undefined if it was not logged. */
export function eventIn(stdout: string, code: string): string | undefined {
  const line = stdout.split("\n").find((text) => text.includes(`"code":"${code}"`) && text.endsWith("}"));
  if (line === undefined) return undefined;
  return Object.entries(JSON.parse(line) as object)
    .map(([name, value]) => `${name} ${String(value)}\n`)
    .join("");
}

/** The same of a banner in text, as a terminal shows it. */
const textBannerIn = (stdout: string): string | undefined =>
  stdout.includes("Press Ctrl-C to stop.\n")
    ? [...stdout.matchAll(/^ {2}(\S.*?) {2,}(\S.*)$/gm)]
        .map(([, label = "", value]) => `${label.toLowerCase().replaceAll(" ", "_")} ${value}\n`)
        .join("")
    : undefined;

/** Waits until a service has started. */
export async function serving(service: Run): Promise<Service> {
  const { child, output, ended } = service;
  let over = false;
  void ended.then(() => (over = true));
  const find = () => eventIn(output.stdout, "banner") ?? textBannerIn(output.stdout);
  await until(() => over || find() !== undefined, startMs);
  if (over) throw new Error(`The service ended: ${output.stderr}`);
  const banner = find() ?? "";
  return {
    ...service,
    banner,
    api: /^api (\S+)\/v1/m.exec(banner)?.[1] ?? "",
    short: /^short_links (\S+)\/\{slug\}/m.exec(banner)?.[1] ?? "",
    mcp: /^mcp (\S+\/mcp)/m.exec(banner)?.[1] ?? "",
    admin: /^operators (\S+)\/readyz/m.exec(banner)?.[1] ?? "",
    stop(signal, to = "process") {
      const pid = Number(child.pid);
      if (!over) process.kill(to === "group" ? -pid : pid, signal);
      return ended;
    },
  };
}

/** Returns the key in a text, or nothing. */
export const keyIn = (text: string) => /\bterse_[A-Za-z0-9_-]{43}\b/.exec(text)?.[0] ?? "";

/** Returns the key that the first start wrote to the data folder; nothing if there was none. */
export const ownerKey = async (dataDir: string) =>
  keyIn(await readFile(join(dataDir, "owner-key"), "utf8").catch(() => ""));

/** Returns the sign-in link in a text. */
export const linkIn = (banner: string) => /http\S+\/auth\/local\?token=[\w-]{43}/.exec(banner)?.[0] ?? "";

/** Creates a link. */
export async function shorten(
  service: Service,
  key: string,
  url: string,
): Promise<{ shortUrl: string; id: string }> {
  const response = await fetch(`${service.api}/v1/links`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ url }),
  });
  const { data, error } = (await response.json()) as {
    data: { shortUrl: string; id: string };
    error: string;
  };
  if (response.status !== 201) throw new Error(`${response.status}: ${error}`);
  return data;
}

/** Returns where a short link redirects. */
export async function follow(shortUrl: string): Promise<string | null> {
  return (await fetch(shortUrl, { redirect: "manual" })).headers.get("location");
}
