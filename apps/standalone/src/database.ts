import { join } from "node:path";
import { OtherMajorError, startPostgres } from "@terse/postgres";
import { commandOf, describeDatabase, reasonOf, type Settings, UserError } from "@terse/server";
import { assertNotMoved } from "./backup/move-mark.ts";

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
  assertNotMoved(DATA_DIR);
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
    if (error instanceof OtherMajorError)
      throw new UserError(wayToThisMajor(DATA_DIR, error), { cause: error });
    throw new UserError(`The embedded database in ${DATA_DIR} (DATA_DIR): ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** The commands that bring the data of an embedded database to the PostgreSQL of this version. */
function wayToThisMajor(DATA_DIR: string, { message, major, isOlder }: OtherMajorError): string[] {
  const intro = `The embedded database in ${DATA_DIR} (DATA_DIR): ${message}.`;
  if (!isOlder) return [intro, "Run the version of Terse that created it, or a later one."];
  const folder = join(DATA_DIR, "postgres");
  const file = join(DATA_DIR, `postgres-${major}.terse`);
  return [
    intro,
    "With the previous version of Terse, which then stays stopped:",
    `${commandOf("admin")} backup ${file}`,
    "Then with this version:",
    `mv ${folder} ${folder}-${major}`,
    `${commandOf("admin")} restore ${file}`,
    `The click log stays where it is. Delete ${folder}-${major} and the file once you have checked that everything is there.`,
  ];
}
