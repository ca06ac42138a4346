import { join } from "node:path";
import { etcd, type Number3, ports, three } from "../addresses.ts";
import { Part } from "../part.ts";

const peer = (number: Number3) => `http://${etcd(number)}:2380`;
const client = (number: Number3) => `http://${etcd(number)}:${ports.etcd}`;

/** One of three members of etcd, in which Patroni's nodes agree on who is the primary. */
export function etcdPart(folder: string, number: Number3): Part {
  const options = {
    name: `etcd${number}`,
    "data-dir": join(folder, `etcd${number}`),
    "listen-client-urls": client(number),
    "advertise-client-urls": client(number),
    "listen-peer-urls": peer(number),
    "initial-advertise-peer-urls": peer(number),
    "initial-cluster": three.map((each) => `etcd${each}=${peer(each)}`).join(","),
    "enable-v2": "true",
    // All nine machines share two processors.
    "heartbeat-interval": "500",
    "election-timeout": "5000",
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return new Part(folder, { name: `etcd${number}`, command: "etcd", args });
}
