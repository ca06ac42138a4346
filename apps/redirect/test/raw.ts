import { browser, exchange } from "@terse/server/testing";

export { type Exchange as RawAnswer, exchange } from "@terse/server/testing";

/** Asks for a target exactly as written. */
export const ask = (port: number, target: string, host = "short.test", method = "GET") =>
  exchange(
    port,
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${browser}\r\nConnection: close\r\n\r\n`,
  );
