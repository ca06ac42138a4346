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
const listed = 50;
const completed = 20;

/** What reading tools answer, at addresses of their own: some clients let people attach those to a conversation. */
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
    description: "What is known of a link's clicks of the last 30 days, by id or slug",
  },
];

export function registerResources(server: McpServer, caller: Caller): void {
  const { core, actor } = caller;
  const { links } = core.caller(actor);

  const newest = async () => {
    const { data } = await links.list({ limit: listed });
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
    const { data } = await links.list({ search, limit: completed });
    return data.map(({ slug }) => slug);
  };

  for (const { scheme, tool, ...about } of templates) {
    const list = scheme === "link" ? () => protocolErrors(caller, newest) : undefined;
    // Without a prototype: the SDK looks arguments up in it by whatever name a client sends.
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

/** Resources have no answer that is an error, as tools have: refusals become the protocol's errors, in our words. */
async function protocolErrors<T>({ logger }: Caller, task: () => Promise<T>, uri?: URL): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const { status, message } = toFailure(error);
    if (status === 404 && uri) throw new ResourceNotFoundError(uri.href);
    if (status < 500) throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    logger.error({ resource: uri?.href, status, err: error }, "resource failed");
    throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  }
}
