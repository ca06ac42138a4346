import { createInterface } from "node:readline";
import type { Command, Invocation } from "../command.ts";
import { fieldsOf, linkOptions } from "../link.ts";

export const shorten: Command = {
  name: "shorten",
  args: "URL…",
  summary: "Create short links",
  details: "Prints the short URL of each. - reads URLs from standard input, one a line.",
  options: {
    ...linkOptions,
    domain: { value: "HOST", help: "A custom domain of yours" },
  },
  examples: ["terse shorten https://example.com/launch --slug launch", "terse shorten - < urls.txt"],
  async run(call) {
    const { client, terminal, args, text } = call;
    const domain = text("domain");
    for await (const url of urlsOf(args)) {
      const link = await client.links.create({
        ...definedFields(call),
        url,
        ...(domain !== undefined && { domain }),
      });
      if (terminal.isJson) terminal.json(link);
      else terminal.print(link.shortUrl);
    }
  },
};

const definedFields = (call: Invocation) => {
  const { title, ...fields } = fieldsOf(call);
  return { ...fields, ...(title && { title }) };
};

async function* urlsOf(args: readonly string[]): AsyncGenerator<string> {
  for (const arg of args) {
    if (arg !== "-") yield arg;
    else for await (const line of createInterface(process.stdin)) if (line.trim()) yield line.trim();
  }
}
