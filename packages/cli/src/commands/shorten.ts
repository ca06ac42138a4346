import { createInterface } from "node:readline";
import { ApiError } from "@terse/client";
import { withHttps } from "@terse/importers/text";
import type { Command, Invocation } from "../command.ts";
import { fieldsOf, linkOptions } from "../link.ts";
import { linesOf, printEach } from "../terminal.ts";

export const shorten: Command = {
  name: "shorten",
  args: "URL…",
  summary: "Create short links",
  details:
    "Prints the short URL of each. - reads URLs from standard input, one per line. Refused URLs are named; with several URLs, --json prints an array.",
  options: {
    ...linkOptions,
    domain: { value: "HOST", help: "One of your custom domains" },
    "on-error": {
      value: "WHAT",
      help: "What to do after a refused URL; default stop",
      choices: ["stop", "continue"],
    },
  },
  examples: [
    "terse shorten example.com/launch --slug launch",
    "terse shorten - --on-error continue < urls.txt",
  ],
  async run(call) {
    const { client, terminal, args, text } = call;
    const domain = text("domain");
    const isList = args.length > 1 || args[0] === "-";
    const goesOn = text("on-error") === "continue";
    let refused: Error | undefined;
    await printEach(terminal, isList, async (print) => {
      for await (const { url, name } of urlsOf(args)) {
        try {
          const link = await client.links.create({
            ...definedFields(call),
            url: withHttps(url) ?? url,
            ...(domain !== undefined && { domain }),
          });
          print(link, link.shortUrl);
        } catch (error) {
          if (!isList || !(error instanceof Error)) throw error;
          error.message = `${name}: ${error.message}`;
          if (!goesOn || !isOfUrl(error)) throw error;
          refused ??= error;
          for (const line of linesOf(error)) terminal.note(`terse: ${line}`);
        }
      }
    });
    if (refused !== undefined)
      throw Object.assign(refused, { message: "Not all URLs were shortened", issues: [] });
  },
};

/** Whether another URL may be accepted: not without a valid key, a plan that allows it, and a service. */
const isOfUrl = (error: Error) => error instanceof ApiError && [400, 409, 413, 422].includes(error.status);

const definedFields = (call: Invocation) => {
  const { title, ...fields } = fieldsOf(call);
  return { ...fields, ...(title && { title }) };
};

/** The URLs, and how they are named in messages. */
async function* urlsOf(args: readonly string[]): AsyncGenerator<{ url: string; name: string }> {
  for (const arg of args) {
    if (arg !== "-") {
      yield { url: arg, name: arg };
      continue;
    }
    let number = 0;
    for await (const line of createInterface(process.stdin)) {
      number++;
      if (line.trim()) yield { url: line.trim(), name: `line ${number}, ${line.trim()}` };
    }
  }
}
