import { chmod, mkdir } from "node:fs/promises";

/** For what root's PostgreSQL must reach when the checkout lies below a closed folder such as /root. */
const publicFolder = "/var/lib/terse";

/**
 * Makes sure of the shared folder, open to every user, and returns its path.
 * @throws where root cannot write there
 */
export async function sharedFolder(): Promise<string> {
  try {
    await mkdir(publicFolder, { recursive: true });
    await chmod(publicFolder, 0o755);
    return publicFolder;
  } catch (error) {
    throw new Error(
      `PostgreSQL refuses to run as root, its user cannot enter this checkout, and ${publicFolder} cannot be made: move the checkout, start as an ordinary user, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}
