import { open } from "node:fs/promises";

/** Makes the names in a folder survive a power failure (fsync(2) of the folder); some file systems cannot, which is not an error. */
export async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder).catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
