import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

const say = (text: string) => ({
  messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
});

// Made once: a server is made for every request.
const reportArguments = z.object({
  campaign: z.string().describe("A part of the slugs, titles or destinations that the links have in common"),
  period: z.enum(["7d", "30d", "1y"]).optional().describe("How far to look back; 30d if left out"),
});
const auditArguments = z.object({
  search: z.string().optional().describe("Only links with this in their slug, title or destination"),
});

/** Conversations that people start by name; each says which tools to use, and how to put what they give. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    "campaign_report",
    {
      title: "Campaign report",
      description: "How the links of a campaign do: clicks, trend, countries, devices and referrers",
      argsSchema: reportArguments,
    },
    ({ campaign, period = "30d" }) =>
      say(`Write a report on the campaign ${JSON.stringify(campaign)} for the last ${period}.

1. Find its links with list_links (\`search\`: the campaign), all pages. If there is none, say so and stop.
2. For each link call get_analytics with its id and \`period\` ${period}.
3. Report: total clicks and visitors and how they compare with the time before; a table of the links, most clicks first; the best days; the most important countries, devices and referrers.
4. End with at most three things to do next, each with the figure that it follows from. Invent no figures.`),
  );

  server.registerPrompt(
    "link_audit",
    {
      title: "Link audit",
      description: "Finds links that are unused, expired, switched off or likely to be mistakes",
      argsSchema: auditArguments,
    },
    ({ search }) =>
      say(`Go through ${search === undefined ? "all of my links" : `my links that match ${JSON.stringify(search)}`} with list_links, all pages.

Group what deserves attention: links without a single click though they are older than 30 days; expired ones; inactive ones; several links to one destination; destinations over plain http; links without a title. Name each link by its short URL.
Then suggest what to do with each group. Change and delete nothing until I have agreed.`),
  );
}
