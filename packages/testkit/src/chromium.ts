import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** The Chromium to test with: CHROMIUM's, else the first on the PATH; null where there is none. */
export function findChromium(): string | null {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of names) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // not on the PATH: the next name
    }
  }
  return null;
}

/**
 * Why browser tests are left out, or null where they run.
 *
 * @throws where REQUIRE_SERVICES=1 says that nothing may be left out
 */
export function browserMissing(): string | null {
  if (findChromium()) return null;
  const reason = "no Chromium: put one on the PATH or set CHROMIUM to it";
  if (process.env.REQUIRE_SERVICES === "1") throw new Error(`REQUIRE_SERVICES=1, but there is ${reason}`);
  process.stderr.write(`Browser tests are left out: ${reason}\n`);
  return reason;
}

/** Starts it. As root, as in containers, Chromium runs only without its sandbox. */
export function launchBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: findChromium() ?? "chromium", args });
}
