/** Two for the drain, two for migrations, recounts and erasing */
const reserved = 4;
/** What a node opens by default for the API, and for redirects in a process of their own */
const usual = { main: 20, worker: 5 };

export interface ConnectionSettings {
  readonly DATABASE_POOL: number | null;
  readonly REDIRECT_WORKERS: number;
}

/** How many connections each process of a node has in its pool. */
export interface Connections {
  readonly main: number;
  readonly worker: number;
  /** What a worker, which divides it in the same way, gets as its DATABASE_POOL */
  readonly workerTotal: number;
}

/** Connections that listen for changed links: one for each process that redirects. */
const listening = (workers: number) => Math.max(workers, 1);

/** The smallest DATABASE_POOL with which every process can work. */
export const leastConnections = (workers: number): number => reserved + listening(workers) + 1 + workers;

/** Divides the connections of a node: a worker gets a quarter of what the main process has. */
export function connectionsOf({
  DATABASE_POOL: total,
  REDIRECT_WORKERS: workers,
}: ConnectionSettings): Connections {
  const rest = total === null ? usual.main + usual.worker * workers : total - reserved - listening(workers);
  const worker = Math.max(1, Math.floor(rest / (4 + workers)));
  return { main: rest - worker * workers, worker, workerTotal: worker + reserved + listening(0) };
}
