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

/** A row of the banner, and a field of the JSON line that replaces it where no person is looking. */
export interface Row {
  label: string;
  /** No name ending in `key`: the log redacts those */
  field: string;
  value: string;
  notes?: readonly string[];
}

/** Where everything is, once the listeners are open. */
export function addressRows(facts: BannerFacts): Row[] {
  const { BASE_URL, SHORT_BASE, MCP_URL, HOST, DATA_DIR, REDIRECT_WORKERS } = facts.settings;
  const { HTTP_PORT, REDIRECT_PORT, MCP_PORT, ADMIN_PORT } = facts.settings;
  const processes = REDIRECT_WORKERS > 1 ? `, ${REDIRECT_WORKERS} processes` : "";
  const operators = `http://${hostOf(adminHost(facts.settings))}:${ADMIN_PORT}/readyz and /metrics`;
  const ports = `ports ${HTTP_PORT} (API), ${REDIRECT_PORT} (short links${processes}) and ${MCP_PORT} (MCP)`;
  return [
    { label: "Console", field: "console", value: BASE_URL },
    { label: "API", field: "api", value: `${BASE_URL}/v1` },
    { label: "Docs", field: "docs", value: `${BASE_URL}/docs` },
    { label: "Short links", field: "short_links", value: `${SHORT_BASE}/{slug}` },
    { label: "MCP", field: "mcp", value: `${MCP_URL}/mcp` },
    { label: "Health", field: "health", value: `${BASE_URL}/health` },
    { label: "Operators", field: "operators", value: operators },
    { label: "Listening", field: "listening", value: `${HOST}, ${ports}` },
    { label: "Database", field: "database", value: facts.database },
    { label: "Data", field: "data", value: DATA_DIR },
    ...anonymousRows(facts.settings),
  ];
}

const hostOf = (address: string) => (address.includes(":") ? `[${address}]` : address);

/** The operator of a public service should know that strangers can use it. */
const anonymousRows = ({ ANONYMOUS_LINKS, BASE_URL }: Settings): Row[] =>
  ANONYMOUS_LINKS && !isLoopbackHost(new URL(BASE_URL).hostname)
    ? [
        {
          label: "Anonymous",
          field: "anonymous",
          value: "everyone can create links without an account; ANONYMOUS_LINKS=off changes that",
        },
      ]
    : [];

/** How to sign in and where the key is; known once the database is available. */
export function credentialRows({ apiUrl }: BannerFacts, credentials: Credentials): Row[] {
  const { key, isFirstStart, email, signIn } = credentials;
  const [first = "", ...notes] = signIn;
  const rows: Row[] = [{ label: "Sign in", field: "sign_in", value: first, notes }];
  if (key) rows.push(keyRow(key));
  rows.push({
    label: "New API key",
    field: "new_key_command",
    value: `${commandOf("admin")} key create --email ${email}`,
  });
  if (key && isFirstStart)
    rows.push({
      label: firstLinkLabel,
      field: "first_link_command",
      value: `curl -sS ${apiUrl}/v1/links -H "Authorization: Bearer $(cat ${shellQuoted(key.file)})" -H 'Content-Type: application/json' -d '{"url":"https://example.com/a/long/address"}'`,
    });
  return rows;
}

const keyRow = ({ file, shown }: { file: string; shown: string | null }): Row =>
  shown === null
    ? {
        label: "API key",
        field: "key_file",
        value: file,
        notes: [
          `a file that only the service's user can read; to see the key here, start with: ${commandOf("start")} --show-key`,
        ],
      }
    : { label: "API key", field: "key_shown", value: shown, notes: [`from the file ${file}`] };

/** The banner for a terminal. Coloured, unless NO_COLOR is set. */
export const banner = (rows: readonly Row[]): string =>
  lines(
    "",
    `  ${bold("Terse is running")}`,
    "",
    ...rows.flatMap(rowLines),
    "",
    "  Press Ctrl-C to stop.",
    "",
  );

/** Rows that became known after the banner. */
export const laterRows = (rows: readonly Row[]): string => lines(...rows.flatMap(rowLines), "");

/** The rows as fields of a line of the log. */
export const fieldsOf = (rows: readonly Row[]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ field, value, notes = [] }) => [
      [field, value],
      ...(notes.length > 0 ? [[`${field}_note`, notes.join(" ")]] : []),
    ]),
  );

const firstLinkLabel = "Create your first short link";

function rowLines({ label, field, value, notes = [] }: Row): string[] {
  // Not indented and on one line, so it can be copied.
  if (label === firstLinkLabel) return ["", `  ${bold(label)} (paste this into a terminal):`, "", value];
  const shown = field === "key_shown" ? styleText("green", value) : value;
  return [
    `  ${styleText("dim", label.padEnd(width))}${shown}`,
    ...notes.map((note) => `  ${" ".repeat(width)}${note}`),
  ];
}

const shellQuoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
const lines = (...texts: string[]) => `${texts.join("\n")}\n`;
const width = 14;
const bold = (text: string) => styleText("bold", text);
