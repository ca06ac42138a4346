/** Each machine of the cluster is an address of this one. */

export const three = [1, 2, 3] as const;
export type Number3 = (typeof three)[number];

export const etcd = (number: Number3) => `127.0.1.${number}`;
export const postgres = (number: Number3) => `127.0.2.${number}`;
export const redis = (number: Number3) => `127.0.3.${number}`;
export const node = (number: Number3) => `127.0.4.${number}`;
export const proxy = "127.0.5.1";

export const ports = { etcd: 2379, patroni: 8008, postgres: 5432, redis: 6379, sentinel: 26_379 };
/** Of the nodes and of the proxy */
export const web = { api: 18_000, short: 18_001, mcp: 18_002 };
