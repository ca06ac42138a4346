import { providerSettingTable, settingTable, type Setting } from "./table.ts";

type Entry = [name: string, { meaning: string; default?: string | null; unset?: string; secret?: true }];

const entries: readonly Entry[] = [
  ...Object.entries<Setting>(settingTable),
  ...Object.entries(providerSettingTable),
];

/** The settings that most installations need to know. */
const mainSettings = new Set([
  "BASE_URL",
  "SHORT_BASE",
  "HOST",
  "DATABASE_URL",
  "DATA_DIR",
  "OAUTH_PROVIDERS",
]);

/** The Markdown table of all settings: name, meaning, default. */
export const settingsTable = (): string => tableOf(entries);

/** The Markdown table of the settings that most installations need. */
export const mainSettingsTable = (): string => tableOf(entries.filter(([name]) => mainSettings.has(name)));

function tableOf(rows: readonly Entry[]): string {
  const lines = rows.map(([name, { meaning, default: text, unset, secret }]) => {
    const file = secret ? ` Or \`${name}_FILE\`, a file with it.` : "";
    return `| \`${name}\` | ${meaning}${file} | ${unset ?? `\`${text}\``} |`;
  });
  return ["| Name | Meaning | Default |", "|---|---|---|", ...lines, ""].join("\n");
}
