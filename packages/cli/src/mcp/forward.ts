import { SdkHttpError, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { NotSignedIn } from "../command.ts";

/** From the range that JSON-RPC 2.0 leaves to implementations */
const serverError = -32000;

/**
 * Passes messages between the program that started this one and an MCP server, unchanged and in both directions. A request that
 * the server does not answer is answered with an error that says why. Resolves when the program closes standard input.
 */
export async function forward(
  address: URL,
  token: () => Promise<string>,
  headers: Record<string, string>,
): Promise<void> {
  const local = new StdioServerTransport();
  const remote = new StreamableHTTPClientTransport(address, {
    authProvider: { token },
    requestInit: { headers },
  });
  /** Requests without an answer yet */
  const waiting = new Set<RequestId>();
  let handshake: RequestId | undefined;

  const fail = (id: RequestId | undefined, message: string) => {
    process.stderr.write(`${message}\n`);
    if (id !== undefined && waiting.delete(id))
      void local.send({ jsonrpc: "2.0", id, error: { code: serverError, message } });
  };
  const toRemote = (message: JSONRPCMessage) => {
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id !== undefined) waiting.add(id);
    if ("method" in message && message.method === "initialize") handshake = id;
    const onRequestStreamEnd = () => {
      if (id !== undefined && waiting.has(id)) fail(id, "The service closed the connection");
    };
    remote.send(message, { onRequestStreamEnd }).catch((error: unknown) => fail(id, sentenceOf(error)));
  };
  const toLocal = (message: JSONRPCMessage) => {
    if (!("method" in message) && message.id !== undefined) waiting.delete(message.id);
    // Revisions before 2026-07-28 repeat the version that the handshake chose with each request.
    if ("result" in message && message.id === handshake)
      remote.setProtocolVersion(String(message.result["protocolVersion"]));
    void local.send(message);
  };
  await new Promise<void>((resolve, reject) => {
    Object.assign(remote, { onmessage: toLocal });
    Object.assign(local, { onmessage: toRemote, onclose: resolve });
    Promise.all([remote.start(), local.start()]).catch(reject);
  });
  await remote.close();
}

/** The message of a failure for people: the server's own sentence, if there is one. */
function sentenceOf(error: unknown): string {
  if (error instanceof NotSignedIn) return `${error.message}; sign in with: terse mcp login`;
  if (error instanceof UnauthorizedError)
    return "The key or the sign-in is not valid; sign in with: terse mcp login";
  if (error instanceof SdkHttpError) {
    const [, sentence] = /"message":("(?:[^"\\]|\\.)*")/.exec(String(error.data.text)) ?? [];
    return sentence ? String(JSON.parse(sentence)) : `The service answered ${error.status}`;
  }
  const { message, cause } = error as Error;
  return cause instanceof Error ? `The service could not be reached: ${cause.message}` : message;
}
