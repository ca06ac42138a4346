import {
  DiscardPolicy,
  jetstream,
  type JetStreamClient,
  jetstreamManager,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { answerTimeoutMs, Connection } from "./connection.ts";
import type { ClickStream, StreamAddress, StreamEntry } from "./click-stream.ts";

interface Nats {
  connection: NatsConnection;
  client: JetStreamClient;
  manager: JetStreamManager;
  /** Begins the ids of entries. Has the time at which the stream was created, as a later one begins at 1 again */
  prefix: string;
}

/** Error of JetStream for more replicas than it has servers, alone and in a cluster */
const tooFewServers = new Set([10_074, 10_005]);
const readMs = 10_000;

/** A stream of NATS JetStream, in files, with three replicas where there are as many servers. */
export function openNatsStream(address: StreamAddress): ClickStream {
  const { name } = address;
  const connection = new Connection(
    () => open(address),
    (nats: Nats) => nats.connection.close(),
  );
  return {
    open: () =>
      connection.use(async ({ manager }) => {
        const { config } = await manager.streams.info(name);
        return config.storage === StorageType.Memory ? "JetStream keeps the stream in memory" : null;
      }, readMs),
    async add(body) {
      await connection.use(({ client }) => client.publish(name, body, { timeout: answerTimeoutMs }));
    },
    read: (after, max) => connection.use((nats) => read(nats, name, after, max), readMs),
    async endsBefore(id) {
      return connection.use(async ({ manager, prefix }) => {
        const { state } = await manager.streams.info(name);
        return state.last_seq < sequenceOf(id, prefix);
      }, readMs);
    },
    async trim(last) {
      await connection.use(async ({ manager, prefix }) => {
        const sequence = sequenceOf(last, prefix);
        // Purging up to the first entry would purge all.
        if (sequence > 0) await manager.streams.purge(name, { seq: sequence + 1 });
      }, readMs);
    },
    async oldest() {
      const { state } = await connection.use(({ manager }) => manager.streams.info(name));
      return state.messages === 0 ? null : Date.parse(state.first_ts);
    },
    close: () => connection.close(),
  };
}

async function open({ server, name, parameters }: StreamAddress): Promise<Nats> {
  const connection = await connect({
    ...serversOf(server),
    ...tlsOf(server, parameters),
    reconnect: false,
    timeout: answerTimeoutMs,
  });
  try {
    const manager = await jetstreamManager(connection, { timeout: answerTimeoutMs });
    const { created } = await findOrCreate(manager, name);
    return {
      connection,
      client: jetstream(connection),
      manager,
      prefix: `nats:${name}:${Date.parse(created)}:`,
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** An existing stream stays as it is, so that an operator can choose its limits and replicas. */
async function findOrCreate(manager: JetStreamManager, name: string): Promise<StreamInfo> {
  const { streams } = manager;
  const create = (num_replicas: number) =>
    streams.add({
      name,
      subjects: [name],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      num_replicas,
    });
  try {
    return await streams.info(name);
  } catch (error) {
    if (codeOf(error) !== 10_059) throw error; // stream not found
  }
  try {
    return await create(3);
  } catch (error) {
    if (!tooFewServers.has(codeOf(error))) throw error;
    return await create(1);
  }
}

const codeOf = (error: unknown): number => Number((error as { code?: unknown }).code);

/** Asks for each entry, since a consumer may leave out some if the server is slow. */
async function read(nats: Nats, name: string, after: string | null, max: number): Promise<StreamEntry[]> {
  const { streams } = nats.manager;
  const { state } = await streams.info(name);
  let next = Math.max(state.first_seq, (after === null ? 0 : sequenceOf(after, nats.prefix)) + 1);
  while (next <= state.last_seq) {
    const numbers = Array.from({ length: Math.min(max, state.last_seq - next + 1) }, (_, at) => next + at);
    const messages = await Promise.all(numbers.map((seq) => streams.getMessage(name, { seq })));
    // A deleted one is null.
    const entries = messages.flatMap((message) =>
      message === null ? [] : [{ id: `${nats.prefix}${message.seq}`, body: Buffer.from(message.data) }],
    );
    if (entries.length > 0) return entries;
    next += numbers.length;
  }
  return [];
}

/** The sequence number in an entry's id; 0, before all entries, if the id is of another stream. */
const sequenceOf = (id: string, prefix: string): number =>
  id.startsWith(prefix) ? Number(id.slice(prefix.length)) : 0;

/** All servers, with the user and password, or the token, of the first one that has them. */
function serversOf(servers: string) {
  const urls = servers.split(",").map((each) => new URL(each.includes("://") ? each : `nats://${each}`));
  const { username = "", password = "" } = urls.find((url) => url.username !== "") ?? {};
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  const credentials = user === "" ? {} : pass === "" ? { token: user } : { user, pass };
  return { servers: urls.map(({ host }) => host), ...credentials };
}

function tlsOf(server: string, parameters: URLSearchParams) {
  const names = { caFile: "sslrootcert", certFile: "sslcert", keyFile: "sslkey" };
  const files = Object.entries(names).flatMap(([name, parameter]) => {
    const file = parameters.get(parameter);
    return file === null ? [] : [[name, file]];
  });
  return /^tls:/i.test(server) || files.length > 0 ? { tls: Object.fromEntries(files) as object } : {};
}
