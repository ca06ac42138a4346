import type { McpServer } from "@modelcontextprotocol/server";
import type { Server } from "../servers.ts";
import { type CardName, cardPage } from "./page.ts";

/** The form of a document that hosts of MCP Apps show (its specification of 2026-01-26) */
const mimeType = "text/html;profile=mcp-app";

/** The tools whose results hosts show as a card, and the card. */
const cards: Readonly<Record<string, CardName>> = {
  create_link: "link",
  get_link: "link",
  update_link: "link",
  get_analytics: "analytics",
  get_link_stats_by_period: "analytics",
  create_bucket: "bucket",
  get_bucket: "bucket",
  update_bucket: "bucket",
};

const uriOf = (tool: string) => `ui://terse/${tool}.html`;

/** A tool's reference to its card, which hosts without cards ignore. */
export function cardOf(tool: string): { _meta?: Record<string, unknown> } {
  if (!Object.hasOwn(cards, tool)) return {};
  return { _meta: { ui: { resourceUri: uriOf(tool) }, "ui/resourceUri": uriOf(tool) } };
}

/** How the card of a tool undoes its result at a server; the server of ten can only delete what was created. */
function undoOf(tool: string, { tools }: Server): string | undefined {
  if ("undo_change" in tools) return /^(?:create|update)_link$/.test(tool) ? "undo_change" : undefined;
  return tool === "create_link" ? "delete_link" : undefined;
}

/** Nothing is loaded from anywhere, and nothing of the device is used. */
const ui = { csp: {}, prefersBorder: true };

export function registerCards(mcp: McpServer, server: Server): void {
  for (const [tool, card] of Object.entries(cards)) {
    const about = server.tools[tool];
    if (!about) continue;
    const uri = uriOf(tool);
    const title = `Card: ${about.title}`;
    mcp.registerResource(`card-${tool}`, uri, { title, mimeType, _meta: { ui } }, () => {
      const undo = undoOf(tool, server);
      const text = cardPage(card, { tool, ...(undo !== undefined && { undo }) });
      return { contents: [{ uri, mimeType, text, _meta: { ui } }] };
    });
  }
}
