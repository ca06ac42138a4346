import type { Connection, RowDataPacket } from "mysql2/promise";
import { addressOf, readFailure } from "../database-address.ts";
import type { YourlsTables } from "./source.ts";
import type { Row } from "./sql-dump.ts";

export interface YourlsDatabaseOptions {
  /** mysql://… */
  url: string;
  password?: string | undefined;
  prefix: string;
  interrupt: AbortSignal;
}

const rowsPerPage = 5000;

/** The columns read from a table, its ordering column first. */
const columnsOf: Readonly<Record<string, readonly string[]>> = {
  url: ["keyword", "url", "title", "timestamp", "clicks"],
  options: ["option_id", "option_name", "option_value"],
  expiry: ["keyword", "type", "click", "timestamp", "shelflife", "postexpire"],
  log: ["click_id", "click_time", "shorturl", "referrer", "user_agent", "ip_address", "country_code"],
};

/**
 * The tables of YOURLS in MySQL or MariaDB, as they are at one moment. Times are the texts that YOURLS wrote, whatever the
 * server's time zone is.
 * @throws {UserError} if the database cannot be read
 */
export async function tablesInDatabase(options: YourlsDatabaseOptions): Promise<YourlsTables> {
  const { prefix, interrupt } = options;
  const { url, shown } = addressOf(options);
  const { createConnection, escapeId } = await import("mysql2/promise");
  const fail = (error: unknown) => {
    interrupt.throwIfAborted();
    throw readFailure(shown, error);
  };
  const connection = await createConnection({
    uri: url,
    charset: "utf8mb4",
    typeCast: (field) => field.string(),
  }).catch(fail);
  interrupt.addEventListener("abort", () => connection.destroy(), { once: true });
  try {
    // Values are escaped with backslashes.
    await connection.query("set session sql_mode = ''");
    await connection.query("start transaction with consistent snapshot, read only");
  } catch (error) {
    connection.destroy();
    fail(error);
  }

  return {
    title: shown,
    async *rowsOf(tables) {
      for (const table of tables) {
        const isThere = await connection
          .query<RowDataPacket[]>("show tables like ?", [table.replaceAll(/[_%\\]/g, "\\$&")])
          .catch(fail);
        // The tables of links and clicks are requested regardless, so that their absence is an error.
        if ((isThere?.[0].length ?? 0) === 0 && !/(?:url|log)$/.test(table)) continue;
        const columns = columnsOf[table.slice(prefix.length)] ?? [];
        for await (const rows of pages(
          connection,
          escapeId(table),
          columns.map((name) => escapeId(name)),
        ))
          yield { table, rows };
      }
    },
    close: async () => connection.destroy(),
  };

  async function* pages(from: Connection, table: string, [key = "", ...others]: string[]) {
    const select = `select ${[key, ...others].join(", ")} from ${table}`;
    const end = `order by ${key} limit ${rowsPerPage}`;
    let last: string | null | undefined;
    do {
      const [rows] = await (last === undefined
        ? from.query<RowDataPacket[]>(`${select} ${end}`)
        : from.query<RowDataPacket[]>(`${select} where ${key} > ? ${end}`, [last])
      ).catch(fail);
      yield rows as Row[];
      last = Object.values(rows.at(-1) ?? {})[0];
    } while (last !== undefined);
  }
}
