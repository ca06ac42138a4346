import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

const userMessage = (text: string) => ({
  messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
});

// Built once, because a server is created for every request.
const reportArguments = z.object({
  campaign: z.string().describe("Text shared by the links' slugs, titles or destinations"),
  period: z.enum(["7d", "30d", "1y"]).optional().describe("How far to look back; 30d by default"),
});
const auditArguments = z.object({
  search: z.string().optional().describe("Only links with this text in their slug, title or destination"),
});

/** Registers prompts that users start by name; each says which tools to call and how to present the results. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    "campaign_report",
    {
      title: "Campaign report",
      description: "How a campaign's links perform: clicks, trend, countries, devices and referrers",
      argsSchema: reportArguments,
    },
    ({ campaign, period = "30d" }) =>
      userMessage(`Write a report on the campaign ${JSON.stringify(campaign)} for the last ${period}.

1. Find its links with list_links (\`search\`: the campaign, \`fields\`: id, shortUrl, title), all pages. If there are none, say so and stop.
2. For each link, call get_analytics with its id and \`period\` ${period}.
3. Report total clicks and visitors, compared with the previous period; a table of the links, most clicks first; the best days; and the top countries, devices and referrers.
4. End with at most three recommendations, each backed by a figure from the report. Do not invent figures.`),
  );

  server.registerPrompt(
    "link_audit",
    {
      title: "Link audit",
      description: "Finds links that are unused, expired, inactive or likely mistakes",
      argsSchema: auditArguments,
    },
    ({ search }) =>
      userMessage(`Review ${search === undefined ? "all of my links" : `my links that match ${JSON.stringify(search)}`} with list_links, all pages.

Group the links that need attention: older than 30 days without a single click; expired; inactive; several links to the same destination; plain http destinations; no title. Name each link by its short URL.
Then suggest what to do with each group. Do not change or delete anything until I agree.`),
  );
}
