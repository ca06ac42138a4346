import { countOf, type HistoricVisit, type ImportPosition } from "@terse/core";
import { UserError } from "@terse/server";
import {
  creationAt,
  dayOf,
  grouped,
  isPossibleTime,
  type Source,
  type TakenLink,
  titleOf,
  type VisitLog,
} from "../source.ts";
import { openDumpText } from "./dump-text.ts";
import { PluginLimits, pluginTables, refusalOfColumns } from "./plugins.ts";
import { readDump, type Row } from "./sql-dump.ts";

/** The tables of a YOURLS database. */
export interface YourlsTables {
  /** For messages, such as a file's name */
  readonly title: string;
  /** What to tell before an import */
  remarks?(): Promise<string[]>;
  /** Reads tables, those with clicks in the order of their ids. One that is not there has no rows. */
  rowsOf(tables: readonly string[]): AsyncIterable<{ table: string; rows: readonly Row[] }>;
  close?(): Promise<void>;
}

export interface YourlsOptions {
  tables: YourlsTables;
  /** The prefix of the tables' names */
  prefix: string;
  /** Where the links go; undefined: the service's own host */
  domain?: string | undefined;
}

/** The tables in a dump. The file is read again for each question. */
export function tablesInFile(file: string, interrupt: AbortSignal): YourlsTables {
  let opened: ReturnType<typeof openDumpText> | undefined;
  const text = () => (opened ??= openDumpText(file, interrupt));
  return {
    title: file,
    async remarks() {
      const { remark } = await text();
      return remark === null ? [] : [remark];
    },
    async *rowsOf(tables) {
      yield* readDump((await text()).pieces(), tables);
    },
  };
}

/**
 * Reads the tables `url` and `log` of YOURLS, once for each question, because the log comes before the links in a dump. Keeps the
 * names of all links in memory.
 */
export function openYourls({ tables, prefix, domain }: YourlsOptions): Source {
  const [urlTable, logTable] = [`${prefix}url`, `${prefix}log`];
  /** Rows of the log, by keyword */
  const logged = new Map<string, number>();
  const limits = new PluginLimits();
  /** Rows of the log whose link is gone */
  let strays = 0;

  async function* visitsOf(
    ids: ReadonlyMap<string, string>,
    positions: ReadonlyMap<string, ImportPosition>,
    log: VisitLog,
  ): AsyncGenerator<HistoricVisit, void> {
    for await (const { rows } of tables.rowsOf([logTable])) {
      for (const row of rows) {
        const visit = toVisit(row, ids);
        if (visit === null) continue;
        if (visit.position <= (positions.get(visit.link_id)?.position ?? 0)) log.before(1);
        else if (isPossibleTime(visit.time)) yield visit;
        else log.lost("with an impossible time", 1);
      }
    }
  }

  return {
    name: "yourls",
    title: `YOURLS in ${tables.title}`,
    async survey() {
      const keywords = new Set<string>();
      let visits = 0;
      let lastId = 0;
      const others = new Map<string, (typeof pluginTables)[number]>(
        pluginTables.map((name) => [`${prefix}${name}`, name]),
      );
      for await (const { table, rows } of tables.rowsOf([urlTable, logTable, ...others.keys()])) {
        const plugin = others.get(table);
        for (const row of rows) {
          if (plugin !== undefined) limits.add(plugin, row);
          else if (table === urlTable) keywords.add(textOf(row, "keyword"));
          else {
            const id = Number(row["click_id"]);
            if (!(id > lastId)) throw new UserError(unordered);
            lastId = id;
            visits += 1;
            const keyword = textOf(row, "shorturl");
            logged.set(keyword, (logged.get(keyword) ?? 0) + 1);
          }
        }
      }
      if (keywords.size === 0)
        throw new UserError(`${tables.title} has no rows of the table ${urlTable}: name another --prefix?`);
      strays = 0;
      for (const [keyword, count] of logged) if (!keywords.has(keyword)) strays += count;
      return {
        links: keywords.size,
        visits,
        losses: [
          ...((await tables.remarks?.()) ?? []),
          ...(strays > 0 ? [strayLoss(strays)] : []),
          ...losses,
        ],
      };
    },
    async *links() {
      for await (const { rows } of tables.rowsOf([urlTable])) {
        for (const row of rows) {
          const keyword = textOf(row, "keyword");
          const title = titleOf(row["title"]);
          const visits = logged.get(keyword) ?? 0;
          // YOURLS counts also while it does not log, and someone may have emptied the log.
          const clicks = /^\d{1,12}$/.test(textOf(row, "clicks")) ? Number(row["clicks"]) : visits;
          const imported_clicks = Math.max(0, clicks - visits);
          const { fields, refusal } = limits.of(keyword, clicks, imported_clicks);
          yield {
            name: keyword,
            fields: {
              url: textOf(row, "url"),
              slug: keyword,
              ...(domain && { domain }),
              ...(title && { title }),
              ...fields,
            },
            ...creationAt(timeOf(row["timestamp"])),
            imported_clicks,
            visits,
            refusal: refusal ?? refusalOfColumns(row),
          };
        }
      }
    },
    async *visits(taken: readonly TakenLink[], positions, log) {
      const ids = new Map(taken.map(({ name, id }) => [name, id]));
      for (const { visits } of taken) log.found(visits);
      log.found(strays);
      log.lost("whose link YOURLS no longer has", strays);
      yield* grouped(visitsOf(ids, positions, log), (visit) => String(dayOf(visit)));
    },
    ...(tables.close && { close: tables.close }),
  };
}

const textOf = (row: Row, column: string) => row[column] ?? "";

/** YOURLS writes times in UTC, as `2024-01-31 23:59:59`. */
const timeOf = (text: string | null | undefined) => Date.parse(`${text?.replace(" ", "T")}Z`);

/** Null if the link was not imported. */
function toVisit(row: Row, ids: ReadonlyMap<string, string>): HistoricVisit | null {
  const link_id = ids.get(textOf(row, "shorturl"));
  if (link_id === undefined) return null;
  const referrer = textOf(row, "referrer");
  return {
    link_id,
    position: Number(row["click_id"]),
    time: timeOf(row["click_time"]),
    place: textOf(row, "ip_address"),
    user_agent: textOf(row, "user_agent"),
    referrer: referrer === "direct" ? "" : referrer,
    country: textOf(row, "country_code"),
    is_bot: false,
  };
}

const unordered =
  "The clicks in the file are not in the order of their ids: make the dump with --order-by-primary";

const strayLoss = (visits: number) =>
  `${countOf(visits, "click")} in the log whose link YOURLS no longer has.`;

const losses = [
  "Links whose keyword has a slash, a dot or another character that slugs cannot have. The result names them.",
  "Links with a password from a plugin; an expiry by time or clicks that a plugin sets is imported.",
  "The address of whoever created a link.",
  "Addresses and user agents of clicks: as always, only what is derived from them is stored.",
  "Clicks that were counted but not logged have no time and become `imported_clicks`.",
];
