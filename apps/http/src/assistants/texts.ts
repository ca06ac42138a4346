import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Settings } from "@terse/server";

export type Addresses = Pick<Settings, "BASE_URL" | "SHORT_BASE" | "MCP_URL">;

const read = (url: string) => readFileSync(fileURLToPath(url), "utf8");

/** The documents for users of a service; those for operators are left out. */
const documents = () =>
  [
    new URL("../../../../docs/links.md", import.meta.url).href,
    new URL("../../../../docs/analytics.md", import.meta.url).href,
    new URL("../../../../docs/domains.md", import.meta.url).href,
    new URL("../../../../docs/pages.md", import.meta.url).href,
    new URL("../../../../docs/code.md", import.meta.url).href,
    new URL("../../../../docs/assistants.md", import.meta.url).href,
    new URL("../../../../packages/client/README.md", import.meta.url).href,
    new URL("../../../../packages/cli/README.md", import.meta.url).href,
    new URL("../../../../docs/import.md", import.meta.url).href,
  ].map(read);

const llms = () => read(new URL("./llms.txt", import.meta.url).href);
const skill = () => read(new URL("../../../../skills/terse/SKILL.md", import.meta.url).href);

/** The addresses that the documents have in their examples, replaced by those of this service. */
function withAddresses(text: string, { BASE_URL, SHORT_BASE, MCP_URL }: Addresses): string {
  const byPort: Record<string, string> = { 3000: BASE_URL, 3001: SHORT_BASE, 3002: MCP_URL };
  return text.replaceAll(/(?:http:\/\/)?localhost:(300[0-2])\b/g, (_, port: string) =>
    String(byPort[port]).replace(/\/+$/, ""),
  );
}

/** Marks of generated parts and links to other files mean nothing outside the repository. */
const alone = (text: string) =>
  text.replaceAll(/^<!-- .* -->\n/gm, "").replaceAll(/\[([^\]\n]+)\]\((?!https?:)[^)\n]*\)/g, "$1");

/** What language models read about this service, by path (https://llmstxt.org, https://agentskills.io). */
export const texts: Record<string, (addresses: Addresses) => string> = {
  "/llms.txt": (addresses) => withAddresses(llms(), addresses),
  "/llms-full.txt": (addresses) => withAddresses([llms(), ...documents().map(alone)].join("\n"), addresses),
  "/skill.md": (addresses) => withAddresses(skill(), addresses),
};
