import { startPostgres } from "@terse/postgres";
import { describeDatabase, reasonOf, type Settings, UserError } from "@terse/server";

export interface Database {
  readonly url: string;
  /** For people: where it is, without the password */
  readonly description: string;
  /** Leaves an embedded database, which ends when its last user leaves; others go on. */
  stop(): Promise<void>;
}

/**
 * The database that DATABASE_URL names; without it, the embedded PostgreSQL of the data folder, started or, where it
 * runs already, shared. `onTrouble` hears of one that has ended and is started again.
 * @throws {UserError} where the embedded one cannot run
 */
export async function openDatabase(
  { DATABASE_URL, DATA_DIR }: Settings,
  onProgress: (message: string) => void,
  onTrouble = onProgress,
): Promise<Database> {
  if (DATABASE_URL !== null) {
    return { url: DATABASE_URL, description: describeDatabase(DATABASE_URL), stop: async () => {} };
  }
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
