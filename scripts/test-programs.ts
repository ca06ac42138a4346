import { rm } from "node:fs/promises";
import { buildService } from "./build-service.ts";

/** Names the build in the environment of the tests. */
const variable = "TERSE_TEST_BUILD";

// Begins when Vitest loads this, while PostgreSQL starts.
const isOneRun = process.argv.includes("run");
const built = isOneRun && !process.env[variable] ? buildService() : undefined;
built?.catch(() => {}); // `setup` reports it.

/**
 * Vitest's global setup where the service is started: tests start it from a build, which loads in half the time of the
 * sources. While watching, they start it from the sources, which change.
 */
export default async function setup() {
  if (!built) return undefined;
  const folder = await built;
  process.env[variable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
