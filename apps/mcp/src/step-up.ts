import { type Actor, AppError, definitionOf, type Scope } from "@terse/core";
import * as z from "zod";
import type { Server } from "./servers.ts";
import { tools } from "./tools/table.ts";
import type { Tool } from "./tools/tool.ts";

/** The program may not do this yet; it can ask its user for more. */
export class InsufficientScope extends AppError {
  /** What it has and what it lacks, so that it does not lose what it had */
  readonly wanted: readonly Scope[];

  constructor(granted: readonly Scope[], lacking: Scope) {
    super("FORBIDDEN", `This connection needs the scope ${lacking}`, { scope: lacking });
    this.wanted = [...granted, lacking];
  }
}

const message = z.object({
  method: z.string(),
  params: z.object({ name: z.string().optional(), uri: z.string().optional() }).optional(),
});

/**
 * Refuses a message whose scope a connection lacks with 403 before the protocol answers it, because programs ask their user
 * for more on that status only. An API key cannot get more: its call is answered with a sentence, as any other failure.
 */
export function requireScopes(actor: Actor & { kind: "account" }, server: Server, body: unknown): void {
  const { key } = actor;
  if (!key?.is_connection) return;
  const needed = scopesFor(server, body);
  const [first] = needed;
  if (first === undefined || needed.some((scope) => key.scopes?.includes(scope))) return;
  throw new InsufficientScope(key.scopes ?? [], first);
}

/** The scopes of which a message needs one. */
function scopesFor(server: Server, body: unknown): readonly Scope[] {
  const { data } = message.safeParse(body);
  if (data?.method === "tools/call") return scopesOf(toolOf(server, data.params?.name ?? ""));
  if (data?.method === "resources/list" || data?.method === "completion/complete") return ["links:read"];
  if (data?.method !== "resources/read" || data.params?.uri?.startsWith("ui:")) return [];
  return scopesOf(data.params?.uri?.startsWith("analytics:") ? tools.get_analytics : tools.get_link);
}

const toolOf = (server: Server, name: string): Tool | undefined =>
  Object.hasOwn(server.tools, name) ? server.tools[name] : undefined;

/** A tool and its procedure have the same scope. */
export const scopesOf = (tool: Tool | undefined): readonly Scope[] =>
  tool ? [definitionOf(tool.procedure).meta.scope ?? []].flat() : [];
