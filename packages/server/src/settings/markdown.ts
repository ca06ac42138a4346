import { providerSettingTable, settingTable, type Setting } from "./table.ts";

/** The table of all settings in Markdown, for the documentation: name, meaning, default. */
export function settingsTable(): string {
  const entries: [string, { meaning: string; default?: string | null; unset?: string }][] = [
    ...Object.entries<Setting>(settingTable),
    ...Object.entries(providerSettingTable),
  ];
  const rows = entries.map(([name, { meaning, default: text, unset }]) => {
    return `| \`${name}\` | ${meaning} | ${unset ?? `\`${text}\``} |`;
  });
  return ["| Name | Meaning | Default |", "|---|---|---|", ...rows, ""].join("\n");
}
