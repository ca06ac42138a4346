import { definitionOf } from "@terse/core";
import { servers } from "./servers.ts";
import type { Hints } from "./tools/tool.ts";

/** The Markdown table of all tools: name, what it does, kind, scope, and whether only the server with all tools has it. */
export function toolsTable(): string {
  const [ten, all] = servers;
  const rows = Object.entries(all.tools).map(([name, { title, hints, procedure }]) => {
    const scopes = [definitionOf(procedure).meta.scope ?? []].flat().map((scope) => `\`${scope}\``);
    const path = name in ten.tools ? "both" : `\`${all.path}\``;
    return `| \`${name}\` | ${title} | ${kindOf(hints)} | ${scopes.join(" or ")} | ${path} |`;
  });
  return ["| Tool | What it does | Kind | Scope | At |", "|---|---|---|---|---|", ...rows, ""].join("\n");
}

function kindOf({ readOnlyHint, destructiveHint, idempotentHint }: Hints): string {
  if (readOnlyHint) return "reads";
  if (destructiveHint) return "overwrites or deletes";
  return idempotentHint ? "checks" : "creates";
}
