import type { ClickStream } from "./stream.types.ts";

const shape = /^(?:nats|tls|rediss?):\/\/\S+$/i;
const nameShape = /^[A-Za-z0-9_-]{1,64}$/;

/** A stream's URL in its parts. */
export interface StreamAddress {
  /** The URL without parameters; of NATS, several separated by commas */
  server: string;
  name: string;
  parameters: URLSearchParams;
}

/** Returns what is wrong with a stream's URL, or null. */
export function streamUrlProblem(url: string): string | null {
  if (!shape.test(url)) return "must be a nats://, tls://, redis:// or rediss:// URL";
  if (!nameShape.test(addressOf(url).name))
    return "must name a stream of up to 64 letters, digits, hyphens and underscores";
  return null;
}

/** Opens a connection to the stream of a URL. Only the client for its scheme is loaded. */
export function openClickStream(url: string): ClickStream {
  let loading: Promise<ClickStream> | undefined;
  const loaded = () => (loading ??= load(addressOf(url)));
  return {
    open: async () => (await loaded()).open(),
    add: async (body) => (await loaded()).add(body),
    read: async (after, max) => (await loaded()).read(after, max),
    endsBefore: async (id) => (await loaded()).endsBefore(id),
    trim: async (last) => (await loaded()).trim(last),
    oldest: async () => (await loaded()).oldest(),
    close: async () => (await loading)?.close(),
  };
}

async function load(address: StreamAddress): Promise<ClickStream> {
  if (/^(?:nats|tls):/i.test(address.server)) return (await import("./nats.ts")).openNatsStream(address);
  return (await import("./redis.ts")).openRedisStream(address);
}

function addressOf(url: string): StreamAddress {
  const [server = "", query = ""] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  return { server, name: parameters.get("stream") ?? "terse-clicks", parameters };
}
