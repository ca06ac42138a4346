import { PROVIDER_SETTINGS, SETTINGS, type Setting } from "./table.ts";

/** The table of all settings in Markdown, for the documentation: name, meaning, default. */
export function settingsTable(): string {
  const entries: [string, { meaning: string; default?: string | null; unset?: string }][] = [
    ...Object.entries<Setting>(SETTINGS),
    ...Object.entries(PROVIDER_SETTINGS),
  ];
  const rows = entries.map(([name, { meaning, default: text, unset }]) => {
    return `| \`${name}\` | ${meaning} | ${unset ?? `\`${text}\``} |`;
  });
  return ["| Name | Meaning | Default |", "|---|---|---|", ...rows, ""].join("\n");
}
