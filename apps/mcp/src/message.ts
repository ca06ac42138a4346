import { AppError, hasLongHost, type Issue, issue } from "@terse/core";

/** A body that is not one JSON-RPC message; `rpcCode` is the error code of JSON-RPC 2.0, section 5.1. */
export class MessageError extends AppError {
  readonly rpcCode: -32700 | -32600;

  constructor(rpcCode: -32700 | -32600, said: string | Issue) {
    super("BAD_REQUEST", said);
    this.rpcCode = rpcCode;
  }
}

/**
 * Parses the body of a request. Batches are refused: revision 2025-06-18 removed them, and one request could hold a
 * hundred calls. So are resources whose host is longer than any, before the SDK parses their URI.
 */
export function parseMessage(body: Uint8Array): unknown {
  const message = parseJson(body);
  if (Array.isArray(message)) {
    throw new MessageError(-32600, "Batches are not supported: send one JSON-RPC message per request");
  }
  const { method, params } = (message ?? {}) as { method?: unknown; params?: Params };
  if (method === "tools/call" && params?.arguments !== undefined)
    params.arguments = argumentsIn(params.arguments);
  if (params?.arguments !== undefined && !isObject(params.arguments)) {
    const fix = "must be an object with the tool's arguments";
    throw new MessageError(
      -32600,
      issue("params.arguments", "wrong_type", `${fix}, such as {"id": "launch"}`, { expected: "object" }),
    );
  }
  const uri = params?.uri;
  if (typeof uri === "string" && hasLongHost(uri)) {
    throw new MessageError(-32600, issue("uri", "invalid", "has a host longer than a host name can be"));
  }
  return message;
}

type Params = { uri?: unknown; arguments?: unknown } | undefined;

/** Some clients send null for no arguments, or the arguments as JSON in a string. */
function argumentsIn(sent: unknown): unknown {
  if (sent === null || sent === "" || sent === "null") return {};
  if (typeof sent !== "string") return sent;
  try {
    return JSON.parse(sent) as unknown;
  } catch {
    return sent;
  }
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new MessageError(-32700, "The body must be one JSON-RPC message, as JSON in UTF-8");
  }
}
