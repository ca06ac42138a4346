import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Writes a file from the service to a file here, which appears when it is complete, or to standard output (also for `-`). */
export async function saved({ body }: Response, file: string | undefined): Promise<void> {
  const source = body ? Readable.fromWeb(body) : Readable.from([]);
  if (file === undefined || file === "-") return pipeline(source, process.stdout, { end: false });
  const part = `${file}.part`;
  try {
    await pipeline(source, createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
