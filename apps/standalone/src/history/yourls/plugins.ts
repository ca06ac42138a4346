import { kindOf } from "@terse/importers";
import { isPossibleTime } from "../source.ts";
import type { Row } from "./sql-dump.ts";

/** Data of YOURLS plugins that limits who can use a link, or for how long. */

/** Tables that only some databases have, without their prefix. */
export const pluginTables = ["options", "expiry"] as const;

/** A plugin's data about one link. */
export interface Limits {
  fields: { expires_at?: string; click_limit?: number; fallback_url?: string };
  refusal?: string;
}

/** The limits of links by keyword, collected from rows of these tables. */
export class PluginLimits {
  readonly #passwords = new Set<string>();
  readonly #expiries = new Map<string, Row>();

  add(table: (typeof pluginTables)[number], row: Row): void {
    if (table === "expiry") this.#expiries.set(row["keyword"] ?? "", row);
    else if (row["option_name"] === "matthew_pwprotection")
      for (const keyword of keysOf(row["option_value"])) this.#passwords.add(keyword);
  }

  /** The limits of a link, of whose clicks `imported` have no visit behind them. */
  of(keyword: string, clicks: number, imported: number): Limits {
    if (this.#passwords.has(keyword))
      return { fields: {}, refusal: "it has a password there: create it with a new one" };
    const expiry = this.#expiries.get(keyword);
    return expiry ? limitsOf(expiry, clicks, imported) : { fields: {} };
  }
}

const own: ReadonlySet<string> = new Set(["keyword", "url", "title", "timestamp", "ip", "clicks"]);
const closing: ReadonlySet<string | null> = new Set([
  "off",
  "password",
  "restricted",
  "status",
  "starts_at",
  "expires_at",
  "click_limit",
  "remaining",
]);

/** Why a link is refused that a column of a plugin closes or limits; undefined if none does. */
export function refusalOfColumns(row: Row): string | undefined {
  const found = Object.entries(row).find(
    ([name, value]) => !own.has(name) && !/^(?:0|)$/.test(value ?? "") && closing.has(kindOf(name)),
  );
  return found && `${found[0]}: closes or limits the link there, and is not imported`;
}

/** Of the password plugin: an object with the passwords by keyword. */
function keysOf(json: string | null | undefined): string[] {
  try {
    return Object.keys((JSON.parse(json ?? "null") as object | null) ?? {});
  } catch {
    return [];
  }
}

/** A link ends some seconds after a time, or after some clicks; after them it leads elsewhere, or nowhere. */
function limitsOf(row: Row, clicks: number, imported: number): Limits {
  const after = row["postexpire"] ?? "";
  const elsewhere = /^https?:\/\//i.test(after) ? { fallback_url: after } : {};
  if (row["type"] === "clock") {
    const end = (Number(row["timestamp"]) + Number(row["shelflife"])) * 1000;
    if (isPossibleTime(end) || end > Date.now())
      return { fields: { expires_at: new Date(end).toISOString(), ...elsewhere } };
  }
  if (row["type"] === "click" && /^\d{1,9}$/.test(row["click"] ?? "")) {
    const limit = Number(row["click"]);
    if (clicks >= limit) return { fields: {}, refusal: "the link has reached its click limit" };
    return { fields: { click_limit: limit - imported, ...elsewhere } };
  }
  return {
    fields: {},
    refusal: "it expires there under an unreadable condition: create it with an expiry",
  };
}
