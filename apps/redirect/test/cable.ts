import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A connection to a database that can be cut. */
export interface Cable {
  /** The database's address through the cable */
  readonly url: string;
  /** Ends all connections and takes no more. */
  cut(): void;
}

/** Passes bytes on to a PostgreSQL at `databaseUrl`, on a socket file (`%2Ffolder`) or a port. */
export async function layCable(databaseUrl: string): Promise<Cable> {
  const { hostname, port } = new URL(databaseUrl);
  const host = decodeURIComponent(hostname);
  const number = Number(port || 5432);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${number}`) : connect(number, host);
    near.pipe(far).pipe(near);
    for (const end of [near, far]) {
      open.add(end);
      end.on("error", () => {}); // what is cut may complain
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut() {
      server.close();
      for (const end of open) end.destroy();
    },
  };
}
