import { chmod, mkdir } from "node:fs/promises";

/** For what root's PostgreSQL must reach when the checkout lies below a closed folder such as /root. */
const SHARED_FOLDER = "/var/lib/terse";

/**
 * Makes sure of the shared folder, open to every user, and returns its path.
 * @throws where root cannot write there
 */
export async function sharedFolder(): Promise<string> {
  try {
    await mkdir(SHARED_FOLDER, { recursive: true });
    await chmod(SHARED_FOLDER, 0o755);
    return SHARED_FOLDER;
  } catch (error) {
    throw new Error(
      `PostgreSQL refuses to run as root, its user cannot enter this checkout, and ${SHARED_FOLDER} cannot be made: move the checkout, start as an ordinary user, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}
