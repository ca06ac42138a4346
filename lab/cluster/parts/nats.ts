import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nats, type Number3, ports, three } from "../addresses.ts";
import { Part } from "../part.ts";

const routes = 6222;

/** One of three NATS servers with JetStream, which keeps three copies of the clicks. */
export function natsPart(folder: string, number: Number3): Part {
  const store = join(folder, `nats${number}`);
  mkdirSync(store);
  const config = {
    server_name: `nats${number}`,
    listen: `${nats(number)}:${ports.nats}`,
    jetstream: { store_dir: store },
    cluster: {
      name: "terse",
      listen: `${nats(number)}:${routes}`,
      routes: three.map((each) => `nats://${nats(each)}:${routes}`),
      // Clients keep to the addresses that they were given, whose wires can be cut.
      no_advertise: true,
    },
  };
  const file = join(store, "nats.conf");
  writeFileSync(file, JSON.stringify(config, null, 2));
  return new Part(folder, { name: `nats${number}`, command: "nats-server", args: ["--config", file] });
}
