import type { BlockCondition } from "../../clicks/blocks/count.ts";
import { campaignDimensions, type Dimension, placeDimensions } from "../../clicks/dimension-names.ts";
import { clickColumns, type ColumnName, none } from "../../clicks/blocks/block.ts";
import { clientDimensions } from "../../clicks/dimensions.ts";
import { type Continent, countriesOf } from "../../clicks/derive/countries.ts";
import type { ClickHouseClicks } from "../../clicks/clickhouse/copy.ts";
import { quoted, sqlArray } from "../../db/arrays.ts";
import type { Database } from "../../db/statements.ts";
import {
  type AnalyticsScope,
  anyBot,
  type Condition,
  countsBots,
  type Filters,
  linkScope,
} from "../question.ts";
import { idsOf } from "../periods/plan.ts";

/** A filter for exactly one link of the account is a report on that link, which needs no raw clicks. */
export async function resolveFilters(
  database: Database,
  scope: AnalyticsScope,
  filters: Filters,
): Promise<{ scope: AnalyticsScope; filters: Filters }> {
  const [only, ...more] = filters;
  const [id, ...others] = only?.dimension === "link_id" && !only.negated ? only.values : [];
  if (scope.kind === "link" || id === undefined || others.length > 0 || more.length > 0)
    return { scope, filters };
  const { rowCount } = await database.query({
    name: "link-of-account",
    text: `select from links where id = $1 and account_id = $2
           union all select from deleted_links where id = $1 and account_id = $2`,
    values: [id, scope.accountId],
  });
  return rowCount === 1 ? { scope: linkScope(id, scope.accountId), filters: [] } : { scope, filters };
}

/** Selects raw clicks of an account or a link that meet conditions, in both forms in which they are stored. */
export interface Selection {
  database: Database;
  /** SQL: a condition on rows of `clicks`, without their time and whether they are bots' */
  condition: string;
  /** The same with other parameters */
  conditionWith(param: Param): string;
  /** SQL: whether they are bots' */
  kind: "is_bot" | "not is_bot";
  /** Its parameters, from $1 */
  values: readonly unknown[];
  account: number;
  isBot: boolean;
  /** The copy that is read instead of the database, if there is one: then no row meets the condition */
  copy: ClickHouseClicks | null;
  /** Reads the ids that the same conditions are about, for clicks in blocks. */
  blockConditions(): Promise<BlockCondition[]>;
}

/** A condition on the ids of a range, whose bounds become the last two parameters. */
export const inRange = ({ condition, kind, values }: Selection, from: number, to: number) => ({
  kind,
  condition: `${condition} and id >= $${values.length + 1}::bigint and id < $${values.length + 2}::bigint`,
  values: [...values, ...idsOf([from, to])],
});

/** Writes a value, or a list of values, into a statement. */
type Param = (value: string | readonly string[], type: string) => string;

/** `ownHost` is the host of short links without a custom domain, as reports name it. */
export async function selectionOf(
  database: Database,
  scope: AnalyticsScope,
  filters: Filters,
  ownHost: string,
  copy: ClickHouseClicks | null = null,
): Promise<Selection> {
  const account = await numberOf(database, scope.accountId);
  const conditions = conditionsOf(scope, filters, ownHost);
  const conditionWith = (param: Param) => (copy ? "false" : conditionOnRows(account, conditions, param));
  const values: unknown[] = [];
  const isBot = countsBots(filters);
  return {
    database,
    condition: conditionWith((value, type) => `$${values.push(value)}::${type}`),
    conditionWith,
    kind: isBot ? "is_bot" : "not is_bot",
    values,
    account,
    isBot,
    copy,
    async blockConditions() {
      const found: BlockCondition[] = [];
      for (const condition of conditions) found.push(await conditionOnBlocks(database, condition));
      return found;
    },
  };
}

/** The same without parameters, for statements that can have none: its values are settings of the transaction. */
export async function withoutParameters(selection: Selection): Promise<Selection> {
  const names: string[] = [];
  const values: string[] = [];
  const condition = selection.conditionWith((value, type) => {
    const name = `terse.value_${values.push(typeof value === "string" ? value : sqlArray(value.map(quoted)))}`;
    names.push(name);
    // In a query of its own, so that it is read once, not for each click.
    return `(select current_setting('${name}'))::${type}`;
  });
  await selection.database.query(
    "select set_config(name, value, true) from unnest($1::text[], $2::text[]) t (name, value)",
    [names, values],
  );
  return { ...selection, condition, values: [] };
}

/** A condition on a column of clicks: its value is one of some ids, or null; negated, it is neither. */
interface Among {
  column: ColumnName;
  /** SQL: a query for the ids, those of links as UUIDs */
  ids(param: Param): string;
  orNull?: boolean;
  negated?: boolean;
  /** Whether there may be so many ids that PostgreSQL should join them */
  many?: boolean;
}

function conditionsOf({ kind, id, accountId }: AnalyticsScope, filters: Filters, ownHost: string): Among[] {
  const write = writers(accountId, ownHost);
  return [
    ...(kind === "link" ? [ofLinks({ values: [id], negated: false })] : []),
    ...ofClients(filters),
    ...filters.flatMap((condition) => write[condition.dimension]?.(condition) ?? []),
  ];
}

/** By which clicks name an account; for one that does not exist, a number that no click has. */
export async function numberOf(database: Database, accountId: string): Promise<number> {
  const { rows } = await database.query<{ number: number }>({
    name: "number-of-account",
    text: "select number from workspaces where id = $1",
    values: [accountId],
  });
  return rows[0]?.number ?? noAccount;
}

/** In rows a click without an account has null, in blocks 0. */
const noAccount = -1;

const conditionOnRows = (account: number, conditions: readonly Among[], param: Param): string =>
  [
    `account_number = ${param(String(account), "int")}`,
    ...conditions.map(({ column: name, ids, orNull, negated, many }) => {
      const column = clickColumns[name];
      const isOne = `${column} in (${ids(param)})`;
      if (many && !orNull && !negated) return isOne;
      // "is true" makes PostgreSQL look ids up while it reads clicks, whatever number of clicks it expects.
      const fits = orNull ? `(${column} is null or (${isOne}) is true)` : `(${isOne}) is true`;
      if (negated) return `not (${fits})`;
      // The index of clicks with a campaign needs the first part.
      return name === "campaign" && !orNull ? `campaign_id is not null and ${fits}` : fits;
    }),
  ].join(" and ");

async function conditionOnBlocks(
  database: Database,
  { column, ids, orNull, negated = false }: Among,
): Promise<BlockCondition> {
  const values: unknown[] = [];
  const query = ids((value, type) => `$${values.push(value)}::${type}`);
  const numbers =
    column === "link"
      ? `select v.id from (${query}) l (id) join click_values v on v.dimension = 'link' and v.value = l.id::text`
      : query;
  const { rows } = await database.query<{ ids: string | null }>(
    `select string_agg(t.id::text, ',') as ids from (${numbers}) t (id)`,
    values,
  );
  const found = rows[0]?.ids?.split(",").map(Number) ?? [];
  return { column, ids: new Set(orNull ? [...found, none] : found), negated };
}

/** Values that a column has, or, negated, does not have. */
type Values = Pick<Condition, "values" | "negated">;

/** SQL that is true if a column has one of the values, or, negated, if it has none of them; null is not a value. */
function among(column: string, { values, negated }: Values, param: Param) {
  const isOne = `${column} = any(${param(values, "text[]")})`;
  return negated ? `(${isOne}) is not true` : isOne;
}

/** All conditions on what a visitor uses, as one set of ids. */
function ofClients(filters: Filters): Among[] {
  const conditions = filters.flatMap((condition) => {
    const { dimension, values } = condition;
    if (dimension === "continent")
      return { column: "country", ...condition, values: values.flatMap(inContinent) };
    return clientDimensions.some((name) => name === dimension) ? { column: dimension, ...condition } : [];
  });
  if (conditions.length === 0) return [];
  const ids = (param: Param) =>
    `select id from click_clients where ${conditions.map(({ column, ...each }) => among(column, each, param)).join(" and ")}`;
  return [{ column: "client", ids }];
}

const inContinent = (continent: string) => (continent === "" ? [""] : countriesOf(continent as Continent));

type Writers = { readonly [Name in Dimension]?: (condition: Condition) => Among | [] };

/** The conditions by dimension; those on clients are put together by `ofClients`. */
function writers(accountId: string, ownHost: string): Writers {
  return {
    referrer: ({ values, negated }) => ({
      column: "referrer",
      ids: entries("click_referrers", "referrer", { values, negated: false }),
      negated,
    }),
    channel: (condition) => ({
      column: "referrer",
      ids: entries("click_referrers", "channel", condition),
      many: true,
    }),
    ...inOptional("campaign", "click_campaigns", campaignDimensions),
    ...inOptional("place", "click_places", placeDimensions),
    bot: ofBot,
    link_id: ofLinks,
    variant: ({ values, negated }) => ({
      column: "variant",
      ids: (param) =>
        `select unnest(${param(
          values.filter((value) => value !== ""),
          "int[]",
        )})`,
      orNull: values.includes(""),
      negated,
    }),
    tag: ({ values, negated }) => ofTags(values, negated, accountId),
    domain: (condition) => ofHosts(condition, accountId, ownHost),
  };
}

/** Conditions on the columns of a dictionary in which not every click has an entry. */
const inOptional = (column: ColumnName, table: string, names: readonly Dimension[]): Writers =>
  Object.fromEntries(
    names.map((name) => [
      name,
      ({ values, negated }: Condition): Among => ({
        column,
        ids: entries(table, name, { values, negated: false }),
        orNull: values.includes(""),
        negated,
      }),
    ]),
  );

/** SQL: the ids of a dictionary's entries that meet a condition. */
const entries = (table: string, column: string, condition: Values) => (param: Param) =>
  `select id from ${table} where ${among(column, condition, param)}`;

const ofLinks = ({ values, negated }: Values): Among => ({
  column: "link",
  ids: (param) => `select unnest(${param(values, "uuid[]")})`,
  negated,
});

function ofBot({ values, negated }: Condition): Among | [] {
  const isAny = values.includes(anyBot);
  if (isAny && !negated) return [];
  return {
    column: "bot",
    ids: entries("click_bots", "bot", { values: isAny ? [] : values, negated: false }),
    negated: !isAny && negated,
  };
}

/** Clicks on links with one of some tags; "" are links without any, such as deleted ones. */
function ofTags(keys: readonly string[], negated: boolean, accountId: string): Among {
  const tagged = (param: Param) => `select t.link_id from link_tags t join tags on tags.id = t.tag_id
    where tags.account_id = ${param(accountId, "uuid")}`;
  const withOne = (param: Param) => `${tagged(param)} and tags.key = any(${param(keys, "text[]")})`;
  if (!keys.includes("")) return { column: "link", ids: withOne, negated, many: true };
  return {
    column: "link",
    ids: (param) => `${tagged(param)} except ${withOne(param)}`,
    negated: !negated,
  };
}

/** Clicks on the account's links on some hosts, deleted ones included. The own host has no name in the database. */
function ofHosts(condition: Condition, accountId: string, ownHost: string): Among {
  const values = condition.values.map((host) => (host === ownHost ? "" : host));
  const ids = (param: Param) => {
    const onHosts = among("coalesce(domain, '')", { ...condition, values }, param);
    const account = param(accountId, "uuid");
    return ["links", "deleted_links"]
      .map(
        (table) => `select l.id from ${table} l left join domains d on d.id = l.domain_id
          where l.account_id = ${account} and ${onHosts}`,
      )
      .join(" union all ");
  };
  return { column: "link", ids, many: true };
}
