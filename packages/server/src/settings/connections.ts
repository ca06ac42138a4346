/** Three for the drain, two for migrations, recounts and erasing, one that watches the database */
const always = 6;
/** Connections that a node opens by default for the API, and for redirects in their own process */
const usual = { main: 19, worker: 5 };

export interface ConnectionSettings {
  readonly DATABASE_POOL: number | null;
  readonly REDIRECT_WORKERS: number;
  readonly CLICK_STREAM_URL: string | null;
  readonly DATABASE_REPLICA_URL: string | null;
}

/** How many connections each process of a node has in its pool. */
export interface Connections {
  readonly main: number;
  readonly worker: number;
  /** The DATABASE_POOL of a worker, which divides it in the same way */
  readonly workerTotal: number;
}

/** One that compares the primary with its replicas */
const comparing = ({ DATABASE_REPLICA_URL: replicas }: ConnectionSettings): number => (replicas ? 1 : 0);

/** Connections of the main process besides its pool; one counts from the stream. */
const reserved = (settings: ConnectionSettings): number =>
  always + (settings.CLICK_STREAM_URL ? 1 : 0) + comparing(settings);

/** What redirects need besides the pools: one listens for changed links; each worker has one that watches the database, too. */
const redirecting = (settings: ConnectionSettings): number =>
  (settings.REDIRECT_WORKERS || 0) === 0 ? 1 : (2 + comparing(settings)) * settings.REDIRECT_WORKERS;

/** The smallest DATABASE_POOL with which every process can work. */
export const leastConnections = (settings: ConnectionSettings): number =>
  reserved(settings) + redirecting(settings) + 1 + (settings.REDIRECT_WORKERS || 0);

/** Divides the connections of a node: a worker gets a quarter of the main process's. */
export function connectionsOf(settings: ConnectionSettings): Connections {
  const { main, worker } = pools(settings);
  const workerTotal = worker + reserved(settings) + redirecting({ ...settings, REDIRECT_WORKERS: 0 });
  return { main, worker, workerTotal };
}

function pools(settings: ConnectionSettings): Pick<Connections, "main" | "worker"> {
  const { DATABASE_POOL: total, REDIRECT_WORKERS: workers } = settings;
  if (total === null) return usual;
  const rest = total - reserved(settings) - redirecting(settings);
  const worker = Math.max(1, Math.floor(rest / (4 + workers)));
  return { main: rest - worker * workers, worker };
}
