import { withHttps } from "@terse/importers/text";
import { type Command, UsageError } from "../command.ts";
import { fieldsOf, idOf, linkOptions } from "../link.ts";

export const edit: Command = {
  name: "edit",
  args: "LINK",
  summary: "Change a link",
  details:
    'Changes only the given fields. An empty text clears a field: --title "". --tag replaces all tags.',
  options: {
    url: { value: "URL", help: "New destination" },
    ...linkOptions,
    "created-by": { value: "ID", help: "Hand it over to this member" },
    on: { help: "Switch it on" },
    off: { help: "Switch it off: it answers 410" },
  },
  examples: ["terse edit launch --url https://example.com/new", 'terse edit launch --expires-at ""'],
  async run(call) {
    const { args, client, terminal, text, is } = call;
    if (is("on") && is("off")) throw new UsageError("--on and --off cannot be combined");
    const url = text("url");
    const fields = {
      ...fieldsOf(call),
      created_by: text("created-by"),
      url: url === undefined ? undefined : (withHttps(url) ?? url),
      ...((is("on") || is("off")) && { is_active: is("on") ? (1 as const) : (0 as const) }),
    };
    if (Object.values(fields).every((value) => value === undefined))
      throw new UsageError("Nothing to change");
    const link = await client.links.update({ ...fields, id: await idOf(call, args[0] ?? "") });
    if (terminal.isJson) terminal.json(link);
    else terminal.print(link.shortUrl);
  },
};
