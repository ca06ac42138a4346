import { servers } from "./servers.ts";
import type { Hints } from "./tools/tool.ts";

/** The Markdown table of all tools: name, what it does, arguments, kind, and whether only the server with all tools has it. */
export function toolsTable(): string {
  const [ten, all] = servers;
  const rows = Object.entries(all.tools).map(([name, { title, input, hints }]) => {
    const names = Object.entries(input.shape).map(([argument, schema]) => {
      const optional = schema.safeParse(undefined).success;
      return `\`${argument}\`${optional ? "" : " (required)"}`;
    });
    const path = name in ten.tools ? "both" : `\`${all.path}\``;
    return `| \`${name}\` | ${title} | ${names.join(", ") || "–"} | ${kindOf(hints)} | ${path} |`;
  });
  return ["| Tool | What it does | Arguments | Kind | At |", "|---|---|---|---|---|", ...rows, ""].join("\n");
}

function kindOf({ readOnlyHint, destructiveHint, idempotentHint }: Hints): string {
  if (readOnlyHint) return "reads";
  if (destructiveHint) return "overwrites or deletes";
  return idempotentHint ? "checks" : "creates";
}
