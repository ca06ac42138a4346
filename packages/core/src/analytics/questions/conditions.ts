import type { PoolClient } from "pg";
import {
  campaignDimensions,
  clientDimensions,
  type Continent,
  countriesOf,
  type Dimension,
} from "../../clicks/index.ts";
import { quoted, sqlArray } from "../../db/sql-array.ts";
import { type AnalyticsScope, linkScope } from "../series.ts";
import { anyBot, type Condition, countsBots, type Filters } from "./question.ts";

/** A filter for exactly one link of the account is a report on that link, which needs no single clicks. */
export async function narrowed(
  database: Pick<PoolClient, "query">,
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

/** Selects raw clicks of an account or a link that meet conditions. */
export interface Selection {
  /** SQL: a condition on rows of `clicks`, without their time and whether they are bots' */
  condition: string;
  /** SQL: whether they are bots' */
  kind: "is_bot" | "not is_bot";
  /** Its parameters, from $1 */
  values: readonly unknown[];
}

/** Writes a value, or a list of values, into a statement. */
type Param = (value: string | readonly string[], type: string) => string;

/** `ownHost` is the host of short links without a custom domain, as reports name it. */
export async function selectionOf(
  database: Pick<PoolClient, "query">,
  scope: AnalyticsScope,
  filters: Filters,
  ownHost: string,
): Promise<Selection> {
  const values: unknown[] = [];
  const param: Param = (value, type) => `$${values.push(value)}::${type}`;
  return {
    condition: await conditionOf(database, scope, filters, ownHost, param),
    kind: kindOf(filters),
    values,
  };
}

/** The same as one condition without parameters, for a cursor, which can have none. */
export async function literalCondition(
  database: PoolClient,
  scope: AnalyticsScope,
  filters: Filters,
  ownHost: string,
): Promise<string> {
  const condition = await conditionOf(database, scope, filters, ownHost, (value, type) => {
    const text = typeof value === "string" ? value : sqlArray(value.map(quoted));
    return `${database.escapeLiteral(text)}::${type}`;
  });
  return `${condition} and ${kindOf(filters)}`;
}

const kindOf = (filters: Filters) => (countsBots(filters) ? "is_bot" : "not is_bot");

async function conditionOf(
  database: Pick<PoolClient, "query">,
  { kind, id, accountId }: AnalyticsScope,
  filters: Filters,
  ownHost: string,
  param: Param,
): Promise<string> {
  const { rows } = await database.query<{ number: number }>({
    name: "number-of-account",
    text: "select number from users where id = $1",
    values: [accountId],
  });
  const write = writers({ accountId, ownHost, param });
  return [
    `account_number = ${param(String(rows[0]?.number), "int")}`,
    ...(kind === "link" ? [`link_id = ${param(id, "uuid")}`] : []),
    ...ofClients(filters, param),
    ...filters.flatMap((condition) => write[condition.dimension]?.(condition) ?? []),
  ].join(" and ");
}

/** SQL that is true if a column has one of the values, or, negated, if it has none of them; null is no value. */
function among(
  column: string,
  { values, negated }: Pick<Condition, "values" | "negated">,
  param: Param,
  type = "text",
) {
  const isOne = `${column} = any(${param(values, `${type}[]`)})`;
  return negated ? `(${isOne}) is not true` : isOne;
}

/** All conditions on what a visitor uses, as one set of ids. */
function ofClients(filters: Filters, param: Param): string[] {
  const conditions = filters.flatMap((condition) => {
    const { dimension, values } = condition;
    if (dimension === "continent")
      return among("country", { ...condition, values: values.flatMap(inContinent) }, param);
    return clientDimensions.some((name) => name === dimension) ? among(dimension, condition, param) : [];
  });
  // "is true" makes PostgreSQL look ids up while it reads clicks, whatever number of clicks it expects.
  return conditions.length > 0
    ? [`(client_id in (select id from click_clients where ${conditions.join(" and ")})) is true`]
    : [];
}

const inContinent = (continent: string) => (continent === "" ? [""] : countriesOf(continent as Continent));

interface Writing {
  accountId: string;
  ownHost: string;
  param: Param;
}

type Writers = { readonly [Name in Dimension]?: (condition: Condition) => string };

/** The conditions on rows of `clicks`, by dimension; those on clients are put together by `ofClients`. */
function writers({ accountId, ownHost, param }: Writing): Writers {
  /** SQL: the ids of a dictionary's entries that meet a condition. */
  const entries = (table: string, column: string, { values, negated }: Condition) =>
    `(select id from ${table} where ${among(column, { values, negated }, param)})`;
  return {
    referrer: (condition) => {
      const ids = entries("click_referrers", "referrer", { ...condition, negated: false });
      return condition.negated ? `referrer_id not in ${ids}` : `(referrer_id in ${ids}) is true`;
    },
    // A channel that is not stored yet is unknown, as in reports.
    channel: (condition) =>
      `referrer_id in ${entries("click_referrers", "coalesce(channel, '')", condition)}`,
    ...Object.fromEntries(
      campaignDimensions.map((name) => [name, (condition: Condition) => ofCampaign(name, condition, param)]),
    ),
    bot: (condition) => ofBot(condition, param),
    link_id: (condition) => among("link_id", condition, param, "uuid"),
    variant: (condition) => among("coalesce(variant::text, '')", condition, param),
    tag: ({ values, negated }) => {
      const tagged = linksWith(values, accountId, param);
      return negated ? `not (${tagged})` : tagged;
    },
    domain: (condition) => `link_id in (${linksOn(condition, accountId, ownHost, param)})`,
  };
}

/** SQL: as `among` for a parameter of campaigns, which clicks without a campaign do not have. */
function ofCampaign(name: string, { values, negated }: Condition, param: Param): string {
  const ids = `select id from click_campaigns where ${among(name, { values, negated: false }, param)}`;
  const isOne = `(campaign_id in (${ids})) is true`;
  if (values.includes("")) return `${negated ? "not" : ""} (campaign_id is null or ${isOne})`;
  // The index of clicks with a campaign needs the first part.
  return negated ? `not (${isOne})` : `campaign_id is not null and ${isOne}`;
}

/** SQL: as `among` for the kind of a bot, which bots that an older version counted do not have. */
function ofBot({ values, negated }: Condition, param: Param): string {
  if (values.includes(anyBot)) return negated ? "false" : "true";
  const ids = `select id from click_bots where ${among("bot", { values, negated: false }, param)}`;
  const isOne = `(bot_id in (${ids})) is true`;
  const fits = values.includes("") ? `(bot_id is null or ${isOne})` : `(${isOne})`;
  return negated ? `not ${fits}` : fits;
}

/** SQL that is true for clicks on links with one of some tags; "" are links without any, such as deleted ones. */
function linksWith(keys: readonly string[], accountId: string, param: Param): string {
  const tagged = `select t.link_id from link_tags t join tags on tags.id = t.tag_id
    where tags.account_id = ${param(accountId, "uuid")}`;
  const withOne = `link_id in (${tagged} and tags.key = any(${param(keys, "text[]")}))`;
  return keys.includes("") ? `(${withOne} or link_id not in (${tagged}))` : withOne;
}

/** SQL: the account's links on some hosts, deleted ones included. The own host has no name in the database. */
function linksOn(condition: Condition, accountId: string, ownHost: string, param: Param): string {
  const values = condition.values.map((host) => (host === ownHost ? "" : host));
  const onHosts = among("coalesce(domain, '')", { ...condition, values }, param);
  const account = param(accountId, "uuid");
  return ["links", "deleted_links"]
    .map(
      (table) => `select l.id from ${table} l left join domains d on d.id = l.domain_id
        where l.account_id = ${account} and ${onHosts}`,
    )
    .join(" union all ");
}
