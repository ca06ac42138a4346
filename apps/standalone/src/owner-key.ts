import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf, UserError } from "@terse/server";

/** The file of the key that the first start creates. */
export const ownerKeyFile = (dataDir: string): string => join(dataDir, "owner-key");

/**
 * Stores the key where only the service's system user can read it, unlike standard output, which often ends in a log.
 * @throws {UserError} if the file cannot be written
 */
export async function storeOwnerKey(dataDir: string, key: string): Promise<void> {
  const file = ownerKeyFile(dataDir);
  try {
    await mkdir(dataDir, { recursive: true });
    await rm(file, { force: true });
    // Only ever a new file: an existing one could have other permissions, or be a link to another place.
    await writeFile(file, `${key}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new UserError(`The owner's API key cannot be written to ${file}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** The key of the first start, or null if there is no such file. */
export async function readOwnerKey(dataDir: string): Promise<string | null> {
  const text = await readFile(ownerKeyFile(dataDir), "utf8").catch(() => null);
  return text?.trim() || null;
}
