import { Call, type CallOptions, type PageInput, Pages } from "./calls.ts";
import type { Operations } from "./generated/api.ts";
import { endpoints } from "./generated/endpoints.ts";
import { requestOf } from "./request.ts";
import { type SendOptions, sender } from "./send.ts";

export interface ClientOptions extends SendOptions {
  /** Address of the service, such as `https://terse.example`; in pages that it serves itself it can be empty */
  baseUrl: string;
}

/** All operations of the service, by the names of their procedures: `client.links.create({ url })`. */
export type Client = Operations;

/** Creates a client of the service at this address. It keeps nothing open and needs no end. */
export function createClient({ baseUrl, ...options }: ClientOptions): Client {
  const base = `${baseUrl.replace(/\/+$/, "")}/v1/`;
  const send = sender(options);
  const client: Record<string, Record<string, unknown>> = {};
  for (const line of endpoints.trim().split("\n")) {
    const [name = "", method = "", path = "", ...flags] = line.split(" ");
    const [group = "", procedure = ""] = name.split(".");
    const is = (flag: string) => flags.includes(flag);
    const bodyField = flags.find((flag) => flag.startsWith("body:"))?.slice(5);
    const endpoint = { method, url: base + path, bodyField, isFile: is("file") };
    const answer = async (input: object, callOptions?: CallOptions) =>
      send(requestOf(endpoint, input), callOptions);
    const call = (input: object = {}, callOptions?: CallOptions) => new Call(answer(input, callOptions));
    const list = (input: PageInput = {}, callOptions?: CallOptions) =>
      new Pages((page) => call(page, callOptions), input);
    const withoutInput = (callOptions?: CallOptions) => call({}, callOptions);
    const own = (client[group] ??= {});
    own[procedure] = is("pages") ? list : is("none") ? withoutInput : call;
  }
  return client as unknown as Client;
}
