import { styleText } from "node:util";
import { adminHost, commandOf, isLoopbackHost, type Settings } from "@terse/server";

export interface BannerFacts {
  settings: Settings;
  /** Description of the database */
  database: string;
  /** URL of the API on this machine */
  apiUrl: string;
}

export interface Credentials {
  /** The file with the key that the first start created, and the key itself if it is to be printed */
  key: { file: string; shown: string | null } | null;
  isFirstStart: boolean;
  /** The account for which a key can be created */
  email: string;
  /** How to sign in: the URL or command, then notes */
  signIn: readonly string[];
}

/**
 * The banner of a service that has just started; without `credentials` while the database is unreachable. Coloured on a
 * terminal, unless NO_COLOR is set.
 */
export function banner(facts: BannerFacts, credentials?: Credentials): string {
  const { BASE_URL, SHORT_BASE, MCP_URL, HOST, DATA_DIR, REDIRECT_WORKERS } = facts.settings;
  const { HTTP_PORT, REDIRECT_PORT, MCP_PORT, ADMIN_PORT } = facts.settings;
  const processes = REDIRECT_WORKERS > 1 ? `, ${REDIRECT_WORKERS} processes` : "";
  return lines(
    "",
    `  ${bold("Terse is running")}`,
    "",
    row("Console", BASE_URL),
    row("API", `${BASE_URL}/v1`),
    row("Docs", `${BASE_URL}/docs`),
    row("Short links", `${SHORT_BASE}/{slug}`),
    row("MCP", `${MCP_URL}/mcp`),
    row("Health", `${BASE_URL}/health`),
    row("Operators", `http://${hostOf(adminHost(facts.settings))}:${ADMIN_PORT}/readyz and /metrics`),
    row(
      "Listening",
      `${HOST}, ports ${HTTP_PORT} (API), ${REDIRECT_PORT} (short links${processes}) and ${MCP_PORT} (MCP)`,
    ),
    row("Database", facts.database),
    row("Data", DATA_DIR),
    ...anonymousRows(facts.settings),
    ...(credentials ? credentialLines(facts, credentials) : []),
    "",
    "  Press Ctrl-C to stop.",
    "",
  );
}

const hostOf = (address: string) => (address.includes(":") ? `[${address}]` : address);

/** The operator of a public service should know that strangers can use it. */
const anonymousRows = ({ ANONYMOUS_LINKS, BASE_URL }: Settings): string[] =>
  ANONYMOUS_LINKS && !isLoopbackHost(new URL(BASE_URL).hostname)
    ? [row("Anonymous", "everyone can create links without an account; ANONYMOUS_LINKS=off changes that")]
    : [];

/** The credentials part of the banner, for a database that became reachable later. */
export const credentialRows = (facts: BannerFacts, credentials: Credentials): string =>
  lines(...credentialLines(facts, credentials), "");

function credentialLines(
  { apiUrl }: BannerFacts,
  { key, isFirstStart, email, signIn }: Credentials,
): string[] {
  const [first = "", ...notes] = signIn;
  const signInRows = [row("Sign in", first), ...notes.map(note)];
  if (!key) return [...signInRows, row("New API key", newKey(email))];
  const keyRows = [
    row("API key", key.shown === null ? `in the file ${key.file}` : styleText("green", key.shown)),
    note(
      key.shown === null
        ? `that only the service's user can read; to see it here, start with: ${commandOf("start")} --show-key`
        : `from the file ${key.file}`,
    ),
    row("New API key", newKey(email)),
  ];
  if (!isFirstStart) return [...signInRows, ...keyRows];
  return [
    ...signInRows,
    ...keyRows,
    "",
    `  ${bold("Create your first short link")} (paste this into a terminal):`,
    "",
    // Not indented and on one line, so it can be copied.
    `curl -sS ${apiUrl}/v1/links -H "Authorization: Bearer $(cat ${shellQuoted(key.file)})" -H 'Content-Type: application/json' -d '{"url":"https://example.com/a/long/address"}'`,
  ];
}

const shellQuoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
const lines = (...texts: string[]) => `${texts.join("\n")}\n`;
const newKey = (email: string) => `${commandOf("admin")} key create --email ${email}`;
const width = 14;
const row = (name: string, value: string) => `  ${styleText("dim", name.padEnd(width))}${value}`;
const note = (text: string) => `  ${" ".repeat(width)}${text}`;
const bold = (text: string) => styleText("bold", text);
