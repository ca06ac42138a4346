import { browserUserAgent, exchange } from "@terse/testkit";

export { type Exchange as RawAnswer, exchange } from "@terse/testkit";

/** Requests a target exactly as written. */
export const ask = (port: number, target: string, host = "short.test", method = "GET") =>
  exchange(
    port,
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${browserUserAgent}\r\nConnection: close\r\n\r\n`,
  );
