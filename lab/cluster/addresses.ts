/** Each machine of the cluster is an address of this one. */

export const three = [1, 2, 3] as const;
export type Number3 = (typeof three)[number];
export const two = [1, 2] as const;
export type Number2 = (typeof two)[number];

export const etcd = (number: Number3) => `127.0.1.${number}`;
export const postgres = (number: Number3) => `127.0.2.${number}`;
export const redis = (number: Number3) => `127.0.3.${number}`;
export const node = (number: Number3) => `127.0.4.${number}`;
export const proxy = (number: Number2) => `127.0.5.${number}`;
/** Leads to the Redis that is the primary */
export const redisProxy = "127.0.5.3";
export const nats = (number: Number3) => `127.0.6.${number}`;

export const ports = {
  etcd: 2379,
  patroni: 8008,
  postgres: 5432,
  redis: 6379,
  sentinel: 26_379,
  nats: 4222,
  /** Of a node, the default */
  short: 3001,
  /** Of a node, for operators, the default */
  admin: 3003,
  http: 18_080,
  https: 18_443,
};

/** As clients name the service; both names have the addresses of both proxies. */
export const names = { api: "api.terse.test", short: "go.terse.test", mcp: "mcp.terse.test" };
export const baseUrl = `https://${names.api}:${ports.https}`;
export const shortBase = `https://${names.short}:${ports.https}`;
