import { startPostgres } from "@terse/postgres";
import { describeDatabase, reasonOf, type Settings, UserError } from "@terse/server";
import { refuseMoved } from "./backup/move-mark.ts";

export interface Database {
  readonly url: string;
  /** Where it is, without the password */
  readonly description: string;
  /** Releases an embedded database, which stops after its last user; other databases keep running. */
  stop(): Promise<void>;
}

/**
 * Returns the database of DATABASE_URL or, if that is not set, the embedded PostgreSQL of the data folder, started or
 * shared if it is already running. `onTrouble` is called if it exits and is restarted.
 * @throws {UserError} if the embedded PostgreSQL cannot run, or if its contents were moved to another one
 */
export async function openDatabase(
  { DATABASE_URL, DATA_DIR }: Settings,
  onProgress: (message: string) => void,
  onTrouble = onProgress,
): Promise<Database> {
  if (DATABASE_URL !== null) {
    return { url: DATABASE_URL, description: describeDatabase(DATABASE_URL), stop: async () => {} };
  }
  refuseMoved(DATA_DIR);
  return openEmbedded(DATA_DIR, onProgress, onTrouble);
}

/** Starts or shares the embedded PostgreSQL of a data folder, whether or not it was moved. */
export async function openEmbedded(
  DATA_DIR: string,
  onProgress: (message: string) => void,
  onTrouble = onProgress,
): Promise<Database> {
  try {
    const server = await startPostgres({ dataDir: DATA_DIR, onProgress, onTrouble });
    const how = server.adopted ? "embedded, was already running" : "embedded";
    return {
      url: server.url,
      description: `PostgreSQL ${server.version}, ${how}`,
      stop: () => server.stop(),
    };
  } catch (error) {
    throw new UserError(`The embedded database in ${DATA_DIR} (DATA_DIR): ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
