import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";
import { leaveOut } from "./missing.ts";

/** The shell without a window comes first: a new person's browser costs a tenth of the CPU time in it. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
];

/** Path of the Chromium for tests: CHROMIUM, or the first on the PATH; null if there is none. */
function findChromium(): string | null {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of names) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // not on the PATH: try the next name
    }
  }
  return null;
}

/**
 * The reason why browser tests are skipped, or null if they run.
 *
 * @throws if they cannot run and REQUIRE_SERVICES=1 is set
 */
export function browserMissing(): string | null {
  if (findChromium()) return null;
  const reason = "no Chromium: put one on the PATH or set CHROMIUM to it";
  leaveOut("Browser tests", reason, true);
  return reason;
}

/** A host that is neither https nor localhost, so that pages of it have no secure context; it leads to this machine. */
export const insecureHost = "terse.test";

/**
 * Scripts are compiled in the thread that runs them: pages of tests end before what is compiled beside them is used, and take a tenth
 * less processor time.
 */
const testFlags = ["--js-flags=--single-threaded", `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`];

/** How Playwright starts Chromium, for tests unless flags say otherwise. As root, for example in containers, it runs only without its sandbox. */
export const launchOptions = (flags: readonly string[] = testFlags) => ({
  executablePath: findChromium() ?? "chromium",
  args: [...flags, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
});

/** Starts Chromium. */
export const launchBrowser = (flags?: readonly string[]): Promise<Browser> =>
  chromium.launch(launchOptions(flags));

let shared: Promise<Browser> | undefined;

/**
 * The Chromium that the test files of a process share, one after the other. Each person has a context of their own, which the
 * test closes; the browser ends with the process.
 */
export const sharedBrowser = (): Promise<Browser> => (shared ??= launchBrowser());
