import { styleText } from "node:util";
import type { NewApiKey } from "@terse/core";
import type { Settings } from "@terse/server";

export interface BannerFacts {
  settings: Settings;
  /** The database, in words */
  database: string;
  /** Where the API listens on this machine */
  apiUrl: string;
}

export interface KeyHolder {
  /** The key that the first start made */
  key: NewApiKey | null;
  /** The account that the key is for, or that another key can be made for */
  email: string;
  /** How a person signs in, and what to know of it */
  waysIn: readonly string[];
}

/**
 * What a person wants to know of a service that has just started; nothing of keys and sign-in without the database that knows.
 * Coloured on a terminal, unless NO_COLOR is set.
 */
export function banner(facts: BannerFacts, holder?: KeyHolder): string {
  const { BASE_URL, SHORT_BASE, MCP_URL, HOST, DATA_DIR, REDIRECT_WORKERS } = facts.settings;
  const { HTTP_PORT, REDIRECT_PORT, MCP_PORT } = facts.settings;
  const processes = REDIRECT_WORKERS > 1 ? `, ${REDIRECT_WORKERS} processes` : "";
  return lines(
    "",
    `  ${bold("Terse is running")}`,
    "",
    row("API", `${BASE_URL}/v1`),
    row("Docs", `${BASE_URL}/docs`),
    row("Short links", `${SHORT_BASE}/{slug}`),
    row("MCP", `${MCP_URL}/mcp`),
    row("Health", `${BASE_URL}/health`),
    row(
      "Listening",
      `${HOST}, ports ${HTTP_PORT} (API), ${REDIRECT_PORT} (short links${processes}) and ${MCP_PORT} (MCP)`,
    ),
    row("Database", facts.database),
    row("Data", DATA_DIR),
    ...(holder ? aboutKeys(facts, holder) : []),
    "",
    "  Ctrl-C stops it.",
    "",
  );
}

/** What the banner says of keys and sign-in, for a database that came after it. */
export const keyRows = (facts: BannerFacts, holder: KeyHolder): string =>
  lines(...aboutKeys(facts, holder), "");

function aboutKeys({ apiUrl }: BannerFacts, { key, email, waysIn }: KeyHolder): string[] {
  const [way = "", ...more] = waysIn;
  const signIn = [row("Sign in", way), ...more.map(note)];
  if (!key) return [row("New key", newKey(email)), ...signIn];
  return [
    ...signIn,
    "",
    row("API key", styleText("green", key.key)),
    note(`of ${email}, shown this once. If it gets lost, make another:`),
    note(newKey(email)),
    "",
    `  ${bold("Your first short link")} (paste this):`,
    "",
    // At the margin and on one line, so that it survives being copied.
    `curl -sS ${apiUrl}/v1/links -H 'Authorization: Bearer ${key.key}' -H 'Content-Type: application/json' -d '{"url":"https://example.com/a/long/address"}'`,
  ];
}

const lines = (...texts: string[]) => `${texts.join("\n")}\n`;
const newKey = (email: string) => `npm run --silent admin -- key create --email ${email}`;
const width = 14;
const row = (name: string, value: string) => `  ${styleText("dim", name.padEnd(width))}${value}`;
const note = (text: string) => `  ${" ".repeat(width)}${text}`;
const bold = (text: string) => styleText("bold", text);
