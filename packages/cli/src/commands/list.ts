import type { LinksListInput } from "@terse/client";
import { linkSorts, linkStates } from "@terse/core/browser";
import type { Command } from "../command.ts";
import { table } from "../terminal.ts";

export const list: Command = {
  name: "list",
  args: "[SEARCH]",
  summary: "List links, newest first",
  details:
    "SEARCH is part of a slug, title or destination, or a short URL. In a pipe, columns are separated by tabs.",
  options: {
    tag: { value: "NAME", help: "With this tag; repeat it for several", multiple: true },
    state: { value: "STATE", help: "In this state", choices: linkStates },
    "created-by": { value: "PERSON", help: "Made by me, by people who have left (left), or by this id" },
    domain: { value: "HOST", help: "On this host" },
    sort: { value: "FIELD", help: "Sort by this; with a leading -, descending", choices: linkSorts },
    limit: { value: "NUMBER", help: "At most this many; default 20", short: "n" },
    all: { help: "All links" },
  },
  examples: ["terse list --tag autumn --sort=-click_count", "terse list --all --json | jq -r '.[].slug'"],
  async run({ args: [search], client, terminal, text, texts, count, is }) {
    const most = is("all") ? Number.POSITIVE_INFINITY : (count("limit") ?? 20);
    const input: LinksListInput = {
      search,
      tag: texts("tag"),
      state: text("state") as LinksListInput["state"],
      created_by: text("created-by"),
      domain: text("domain"),
      sort: text("sort") as LinksListInput["sort"],
      limit: Math.min(most, 100),
    };
    const links = [];
    for await (const link of client.links.list(input)) {
      if (links.push(link) >= most) break;
    }
    if (terminal.isJson) return terminal.json(links);
    const rows = links.map(({ shortUrl, click_count, created_at, destination }) => [
      shortUrl,
      String(click_count),
      created_at.slice(0, 10),
      destination,
    ]);
    table(terminal, ["SHORT URL", "CLICKS", "CREATED", "DESTINATION"], rows);
  },
};
