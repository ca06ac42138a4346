import { styleText } from "node:util";
import type { NewApiKey } from "@terse/core";
import type { Settings } from "@terse/server";

export interface BannerFacts {
  settings: Settings;
  /** The database, in words */
  database: string;
  /** Where the API listens on this machine */
  apiUrl: string;
  /** The key that the first start made */
  key: NewApiKey | null;
  /** The account that the key is for, or that another key can be made for */
  email: string;
}

/** What a person wants to know of a service that has just started. Coloured on a terminal, unless NO_COLOR is set. */
export function banner({ settings, database, apiUrl, key, email }: BannerFacts): string {
  const { BASE_URL, SHORT_BASE, HOST, DATA_DIR } = settings;
  const rows = [
    row("API", `${BASE_URL}/v1`),
    row("Docs", `${BASE_URL}/docs`),
    row("Short links", `${SHORT_BASE}/{slug}`),
    row("Health", `${BASE_URL}/health`),
    row(
      "Listening",
      `${HOST}, ports ${settings.HTTP_PORT} (API) and ${settings.REDIRECT_PORT} (short links)`,
    ),
    row("Database", database),
    row("Data", DATA_DIR),
  ];
  const keyRows = key ? firstKey(key.key, email, apiUrl) : [row("New key", newKey(email))];
  return [
    "",
    `  ${bold("Terse is running")}`,
    "",
    ...rows,
    ...keyRows,
    "",
    "  Ctrl-C stops it.",
    "",
    "",
  ].join("\n");
}

function firstKey(key: string, email: string, apiUrl: string): string[] {
  return [
    "",
    row("API key", styleText("green", key)),
    note(`of ${email}, shown this once. If it gets lost, make another:`),
    note(newKey(email)),
    "",
    `  ${bold("Your first short link")} (paste this):`,
    "",
    // At the margin and on one line, so that it survives being copied.
    `curl -sS ${apiUrl}/v1/links -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"url":"https://example.com/a/long/address"}'`,
  ];
}

const newKey = (email: string) => `npm run --silent admin -- key create --email ${email}`;
const width = 14;
const row = (name: string, value: string) => `  ${styleText("dim", name.padEnd(width))}${value}`;
const note = (text: string) => `  ${" ".repeat(width)}${text}`;
const bold = (text: string) => styleText("bold", text);
