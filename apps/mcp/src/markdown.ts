import type { Hints } from "./tools/tool.ts";
import { tools } from "./tools/table.ts";

/** The Markdown table of all tools: name, what it does, arguments, kind. */
export function toolsTable(): string {
  const rows = Object.entries(tools).map(([name, { title, input, hints }]) => {
    const names = Object.entries(input.shape).map(([argument, schema]) => {
      const optional = schema.safeParse(undefined).success;
      return `\`${argument}\`${optional ? "" : " (required)"}`;
    });
    return `| \`${name}\` | ${title} | ${names.join(", ")} | ${kindOf(hints)} |`;
  });
  return ["| Tool | What it does | Arguments | Kind |", "|---|---|---|---|", ...rows, ""].join("\n");
}

function kindOf({ readOnlyHint, destructiveHint }: Hints): string {
  if (readOnlyHint) return "reads";
  return destructiveHint ? "overwrites or deletes" : "creates";
}
