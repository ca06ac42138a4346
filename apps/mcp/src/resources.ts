import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { toFailure } from "@terse/core";
import type { Caller } from "./caller.ts";
import { tools } from "./tools/table.ts";

const mimeType = "application/json";
const maxListed = 50;
const maxCompletions = 20;

/** The output of read-only tools under URIs, which some clients let users attach to a conversation. */
const templates = [
  {
    scheme: "link",
    tool: tools.get_link,
    title: "Link",
    description: "A link with its settings and click count, by id or slug",
  },
  {
    scheme: "analytics",
    tool: tools.get_analytics,
    title: "Analytics of a link",
    description: "A link's clicks over the last 30 days, by id or slug",
  },
];

export function registerResources(server: McpServer, caller: Caller): void {
  const { core, actor } = caller;
  const { links } = core.caller(actor);

  const newest = async () => {
    const { data } = await links.list({ limit: maxListed });
    return {
      resources: data.map(({ id, slug, title, destination }) => ({
        uri: `link://${id}`,
        name: slug,
        title: title ?? slug,
        description: destination,
        mimeType,
      })),
    };
  };
  const slugsWith = async (search: string) => {
    const { data } = await links.list({ search, limit: maxCompletions });
    return data.map(({ slug }) => slug);
  };

  for (const { scheme, tool, ...about } of templates) {
    const list = scheme === "link" ? () => protocolErrors(caller, newest) : undefined;
    // No prototype: the SDK looks up arguments in it by whatever name a client sends.
    const complete = Object.assign(Object.create(null), {
      id: (text: string) => protocolErrors(caller, () => slugsWith(text)),
    });
    server.registerResource(
      scheme,
      new ResourceTemplate(`${scheme}://{id}`, { list, complete }),
      { ...about, mimeType },
      (uri, { id }) =>
        protocolErrors(
          caller,
          async () => {
            const answer = await tool.run(core.createContext(actor), { id });
            return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(answer.structured) }] };
          },
          uri,
        ),
    );
  }
}

/** Unlike tools, resources cannot return an error as a result: failures become protocol errors with our messages. */
async function protocolErrors<T>({ logger }: Caller, task: () => Promise<T>, uri?: URL): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const { status, message, issues } = toFailure(error);
    if (status === 404 && uri) throw new ResourceNotFoundError(uri.href);
    if (status < 500) throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, { issues });
    logger.error({ resource: uri?.href, status, err: error }, "resource failed");
    throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  }
}
