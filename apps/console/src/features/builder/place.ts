import { partsOf } from "../../kit/format/format.ts";

/** A URL as its path, if it is on the host that goes without saying. */
export function placeOf(url: string, mainHost: string): string {
  const { host, rest } = partsOf(url);
  return host === mainHost ? rest || "/" : host + rest;
}
