import { chmod, mkdir } from "node:fs/promises";

/** For files of a PostgreSQL started by root, if the checkout is below a closed folder such as /root. */
const publicFolder = "/var/lib/terse";

/**
 * Creates the shared folder, readable by all users, unless it exists; returns its path.
 * @throws if root cannot write there
 */
export async function sharedFolder(): Promise<string> {
  try {
    await mkdir(publicFolder, { recursive: true });
    await chmod(publicFolder, 0o755);
    return publicFolder;
  } catch (error) {
    throw new Error(
      `PostgreSQL refuses to run as root, its user cannot enter this checkout, and ${publicFolder} cannot be created: move the checkout, start as an ordinary user, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}
