/** The links in a file: what each door of an import reads it with; pure. */

import { importSources, kindOf, recognize, type Recognized } from "./columns.ts";
import { refusalOfText } from "./decode.ts";
import { linkOf, type ReadRow, type RowReader } from "./link-of.ts";
import { NotCsv } from "./records.ts";
import { type Table, tableOf, type TableRow, valueAt } from "./table.ts";
import { type DayFirst, orderOf, textOf } from "./values.ts";

export interface FileOptions {
  /** The service that the file must be from; any if missing */
  source?: string | undefined;
  /** The host of all links; if it is missing, each has the one that the file says */
  domain?: string | undefined;
  /** Names of the columns in order, instead of the header's; `-` skips one */
  columns?: readonly string[] | undefined;
  /** The service's own host, which is the domain of links that name none */
  ownHost?: string | undefined;
}

export interface LinkFile {
  /** The service that exports such files; null if it is not known */
  source: string | null;
  /** The names of the columns; null if the file has no header */
  names: readonly string[] | null;
  /** How many columns there are */
  width: number;
  columns: Recognized["columns"];
  /** Names of the columns that are not imported completely. Reads all rows, unless `rows` has done so. */
  readonly notTaken: readonly string[];
  /** How many rows there are */
  total: number;
  /** Reads the rows from the start, each time it is called. */
  rows(): Iterable<ReadRow>;
}

/** A file that cannot be imported as it is. With `sample`, the caller may choose its columns. */
export interface RefusedFile {
  refusal: string;
  names?: readonly string[] | null;
  width?: number;
  /** Texts of its first rows */
  sample?: readonly (readonly string[])[];
  /** The number of a column that looks like slugs, if that is why */
  slugLike?: number;
}

/** The name of a skipped column. */
const leftOut = "-";
const example = "destination,slug,tags";
const shownColumns = { count: 100, length: 100 };
const sampleRows = 8;

/** Reads the text of a file. */
export function readFile(text: string, options: FileOptions = {}): LinkFile | RefusedFile {
  const refusal = refusalOfText(text) ?? refusalOfColumns(options.columns);
  if (refusal !== null) return { refusal };
  try {
    return read(tableOf(text, options.columns ?? null), options);
  } catch (error) {
    if (error instanceof NotCsv) return { refusal: error.message };
    throw error;
  }
}

/** Why names of columns are wrong; null if they are right. */
function refusalOfColumns(columns: readonly string[] | undefined): string | null {
  const unknown = columns?.find((name) => name !== leftOut && name !== "" && kindOf(name) === null);
  if (unknown === undefined) return null;
  return `columns: "${unknown}" is not a field of a link; name the columns as in ${example}, and one to leave out "-"`;
}

function read(table: Table, options: FileOptions): LinkFile | RefusedFile {
  const { names } = table;
  const asked = options.columns?.map((name) => (name === leftOut ? "" : name));
  const recognized = recognize(asked ?? names ?? (table.width === 1 ? ["url"] : []));
  const { columns } = recognized;
  const source = recognize(names ?? []).source ?? recognized.source;
  const nameOf = (at: number) => names?.[at]?.trim() || asked?.[at] || `column ${at + 1}`;
  const choosable = (refusal: string): RefusedFile => ({
    refusal,
    names,
    width: table.width,
    sample: sampleOf(table),
  });

  if (options.source !== undefined && !isFrom(source, options.source)) {
    const known = importSources.find((each) => isFrom(each, options.source ?? "")) ?? options.source;
    return {
      refusal: `does not have the columns of a file from ${known}; leave source out to have them recognised`,
    };
  }
  const survey = surveyOf(table, recognized, asked !== undefined);
  if (survey.total === 0) return { refusal: "must have at least one link" };
  if (asked === undefined && names === null && table.width > 1)
    return choosable(
      `has ${table.width} columns and no header; name them with columns, such as ${example} ("-" leaves one out), or write the names into a first line. A list of URLs with commas in them is columns=destination`,
    );
  if (columns.url === undefined || columns.url.length === 0)
    return choosable(
      "no column has the links' destinations; name one of them url, or name them with columns",
    );
  if (survey.dayFirst === "unknown")
    return {
      refusal: `the dates in ${nameOf(survey.dateColumn)} may have the day or the month first, as "${survey.date}" does; write them as 2027-01-31`,
    };
  if (survey.slugLike !== null)
    return {
      ...choosable(
        `column ${survey.slugLike + 1}, "${nameOf(survey.slugLike)}", looks like slugs, and would be ignored; name the columns with columns, as in ${example}, and "-" for one to leave out`,
      ),
      slugLike: survey.slugLike,
    };

  const reader: RowReader = {
    source,
    columns,
    nameOf,
    dayFirst: survey.dayFirst,
    isCsv: table.format !== "json",
    domain: options.domain ?? null,
    ownHost: options.ownHost ?? null,
  };
  /** Columns of which a row has lost something, as far as rows were read */
  const lost = new Set<number>();
  let isRead = false;
  const readRow = (each: TableRow): ReadRow => {
    const row = linkOf(
      each.row,
      (at) => valueAt(each, at),
      reader,
      (at) => lost.add(at),
    );
    const refusal = tooLong(
      each,
      asked ? asked.length : table.width,
      asked ? "columns" : names ? "header" : "first row",
    );
    return refusal === null ? row : { ...row, refusal };
  };
  function* rows(): Generator<ReadRow> {
    for (const each of table.rows()) yield readRow(each);
    isRead = true;
  }
  const { archived: _, ...taken } = columns;
  const used = new Set(Object.values(taken).flat());
  const groupOf = (at: number) => nameOf(at).split(".", 1)[0] ?? "";
  const usedGroups = new Set(table.format === "json" ? [...used].map(groupOf) : []);
  /** The name of an object from which nothing is read */
  const shownNameOf = (at: number) =>
    table.format !== "json" || usedGroups.has(groupOf(at)) ? nameOf(at) : groupOf(at);
  return {
    source,
    names,
    width: table.width,
    columns,
    total: survey.total,
    rows,
    get notTaken() {
      if (!isRead) for (const each of table.rows()) readRow(each);
      isRead = true;
      const lostNames = Array.from({ length: table.width }, (__, at) => at)
        .filter((at) => !used.has(at) || lost.has(at))
        .filter((at) => names?.[at]?.trim() !== "")
        .map((at) => shownNameOf(at).slice(0, shownColumns.length).toWellFormed());
      return [...new Set(lostNames)].slice(0, shownColumns.count);
    },
  };
}

function tooLong({ values }: TableRow, width: number, of: "columns" | "header" | "first row"): string | null {
  if (!Array.isArray(values)) return null;
  const length = values.findLastIndex((cell) => cell.trim() !== "") + 1;
  if (length <= width) return null;
  const fix =
    of === "columns"
      ? 'name all of them, with "-" to skip one'
      : "put a value that contains a comma in double quotes";
  return `has ${length} values, more than the ${width} of ${of === "columns" ? of : `the ${of}`}: ${fix}`;
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, "");
const isFrom = (source: string | null, wanted: string): boolean => plain(source ?? "list") === plain(wanted);

const sampleOf = (table: Table): string[][] => {
  const sample: string[][] = [];
  for (const row of table.rows()) {
    sample.push(Array.from({ length: table.width }, (_, at) => textOf(valueAt(row, at))));
    if (sample.length === sampleRows) break;
  }
  return sample;
};

interface Survey {
  total: number;
  /** Whether all dates that are written with numbers have the day first */
  dayFirst: DayFirst | "unknown";
  dateColumn: number;
  /** One whose order is not known */
  date: string;
  /** A column that is not taken, and whose values look like slugs, where no other column has them */
  slugLike: number | null;
}

/** What can be said of a file only after a look at all rows. */
function surveyOf(table: Table, { columns }: Recognized, areChosen: boolean): Survey {
  const dates = [...(columns.starts_at ?? []), ...(columns.expires_at ?? [])];
  const used = new Set(Object.values(columns).flat());
  const mayBeSlugs = new Map<number, Set<string>>();
  if (!areChosen && (columns.slug ?? []).length === 0)
    for (let at = 0; at < table.width; at++)
      if (!used.has(at) || columns.id?.includes(at)) mayBeSlugs.set(at, new Set());
  const orders = new Set<string>();
  const survey: Survey = { total: 0, dayFirst: null, dateColumn: 0, date: "", slugLike: null };
  for (const row of table.rows()) {
    survey.total += 1;
    for (const at of [...dates, ...(columns.created_at ?? [])]) {
      const text = textOf(valueAt(row, at));
      const order = orderOf(text);
      if (order !== null) orders.add(order);
      if (order === "either" && dates.includes(at)) Object.assign(survey, { dateColumn: at, date: text });
    }
    for (const [at, seen] of mayBeSlugs) {
      const text = textOf(valueAt(row, at));
      if (text === "" || (columns.id?.includes(at) && text.includes("/"))) continue;
      if (!looksLikeSlug(text) || seen.has(text)) mayBeSlugs.delete(at);
      else seen.add(text);
    }
  }
  const isDay = orders.has("day first");
  const isMonth = orders.has("month first");
  if (isDay !== isMonth) survey.dayFirst = isDay;
  else if (survey.date !== "") survey.dayFirst = "unknown";
  survey.slugLike = [...mayBeSlugs].find(([, seen]) => seen.size > 0)?.[0] ?? null;
  return survey;
}

/** A short URL, or a word that is neither a number, a yes or no, nor a UUID. */
function looksLikeSlug(text: string): boolean {
  if (text.length > 300) return false;
  if (/^(?:https?:\/\/)?[^\s/?#@]+\.[^\s/?#@]+\/[\p{L}\p{N}_-]{1,64}\/?$/iu.test(text)) return true;
  return (
    /^(?=.*\p{L})[\p{L}\p{N}_-]{2,64}$/u.test(text) &&
    !/^(?:true|false|yes|no|null|none|on|off)$/i.test(text) &&
    !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
  );
}
