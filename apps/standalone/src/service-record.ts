import { readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isLive, newMark } from "@terse/postgres";
import type { Settings } from "@terse/server";

/** Public addresses of a service; without their settings, they depend on its ports. */
export type Addresses = Pick<Settings, "BASE_URL" | "SHORT_BASE" | "MCP_URL">;

const fileIn = (dataDir: string) => join(dataDir, "service.json");

/**
 * Writes the addresses of this service into its data folder, where admin commands look for them. Returns the function
 * that removes them.
 */
export async function recordService(settings: Settings): Promise<() => Promise<void>> {
  const { DATA_DIR, BASE_URL, SHORT_BASE, MCP_URL } = settings;
  const file = fileIn(DATA_DIR);
  const mark = newMark();
  await mkdir(DATA_DIR, { recursive: true });
  // A reader sees the whole file or none.
  await writeFile(`${file}.${mark}`, JSON.stringify({ mark, BASE_URL, SHORT_BASE, MCP_URL }));
  await rename(`${file}.${mark}`, file);
  return async () => {
    if (read(DATA_DIR)?.mark === mark) await rm(file, { force: true });
  };
}

/** Returns the addresses of the service that runs on this data folder; null if none does, also after it was killed. */
export function runningService(dataDir: string): Addresses | null {
  const record = read(dataDir);
  if (!record || !isLive(record.mark)) return null;
  const { BASE_URL, SHORT_BASE, MCP_URL } = record;
  return { BASE_URL, SHORT_BASE, MCP_URL };
}

function read(dataDir: string): (Addresses & { mark: string }) | null {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), "utf8"));
  } catch {
    return null;
  }
}
