import { providerSettingTable, settingTable, type Setting } from "./table.ts";

type Entry = [name: string, { meaning: string; default?: string | null; unset?: string; secret?: true }];

const entries: readonly Entry[] = [
  ...Object.entries<Setting>(settingTable),
  ...Object.entries(providerSettingTable),
];

/** The Markdown table of all settings: name, meaning, default. */
export function settingsTable(): string {
  const lines = entries.map(([name, { meaning, default: text, unset, secret }]) => {
    const file = secret ? ` Or \`${name}_FILE\`: a file that contains it.` : "";
    return `| \`${name}\` | ${meaning}${file} | ${unset ?? `\`${text}\``} |`;
  });
  return ["| Name | Meaning | Default |", "|---|---|---|", ...lines, ""].join("\n");
}
