import type { PoolClient } from "pg";
import { clientDimensions, type Continent, countriesOf } from "../clicks/index.ts";
import { quoted, sqlArray } from "../db/sql-array.ts";
import type { Choice, Filter } from "./filter.input.ts";
import { type AnalyticsScope, linkScope } from "./series.ts";

/** A filter for exactly one link of the account is a report on that link, which needs no raw clicks. */
export async function narrowed(
  database: Pick<PoolClient, "query">,
  scope: AnalyticsScope,
  filter: Filter | null,
): Promise<{ scope: AnalyticsScope; filter: Filter | null }> {
  const { is = [], not = [] } = filter?.link_id ?? {};
  const [id] = is;
  if (scope.kind === "link" || id === undefined || is.length > 1 || not.length > 0) return { scope, filter };
  if (Object.keys(filter ?? {}).length > 1) return { scope, filter };
  const { rowCount } = await database.query({
    name: "link-of-account",
    text: `select from links where id = $1 and account_id = $2
           union all select from deleted_links where id = $1 and account_id = $2`,
    values: [id, scope.accountId],
  });
  return rowCount === 1 ? { scope: linkScope(id, scope.accountId), filter: null } : { scope, filter };
}

/** Selects raw clicks of an account or a link that fit a filter. */
export interface Selection {
  /** SQL: a condition on rows of `clicks`, without their time and whether they are bots' */
  condition: string;
  /** Its parameters, from $1 */
  values: readonly unknown[];
}

/** Writes a value, or a list of values, into a statement. */
type Param = (value: string | readonly string[], type: string) => string;

/** `ownHost` is the host of short links without a custom domain, as reports name it. */
export async function selectionOf(
  database: Pick<PoolClient, "query">,
  scope: AnalyticsScope,
  filter: Filter | null,
  ownHost: string,
): Promise<Selection> {
  const values: unknown[] = [];
  const param: Param = (value, type) => `$${values.push(value)}::${type}`;
  return { condition: await conditionOf(database, scope, filter, ownHost, param), values };
}

/** The same without parameters, for a cursor, which can have none. */
export const literalCondition = (
  database: PoolClient,
  scope: AnalyticsScope,
  filter: Filter | null,
  ownHost: string,
): Promise<string> =>
  conditionOf(database, scope, filter, ownHost, (value, type) => {
    const text = typeof value === "string" ? value : sqlArray(value.map(quoted));
    return `${database.escapeLiteral(text)}::${type}`;
  });

async function conditionOf(
  database: Pick<PoolClient, "query">,
  { kind, id, accountId }: AnalyticsScope,
  filter: Filter | null,
  ownHost: string,
  param: Param,
): Promise<string> {
  const { rows } = await database.query<{ number: number }>({
    name: "number-of-account",
    text: "select number from users where id = $1",
    values: [accountId],
  });
  return [
    `account_number = ${param(String(rows[0]?.number), "int")}`,
    ...(kind === "link" ? [`link_id = ${param(id, "uuid")}`] : []),
    ...(filter ? conditionsOf(filter, accountId, ownHost, param) : []),
  ].join(" and ");
}

/** Rows whose column has a value of the choice; null is no value. */
function among(column: string, { is, not }: Choice, param: Param, type = "text"): string[] {
  return [
    ...(is.length > 0 ? [`${column} = any(${param(is, `${type}[]`)})`] : []),
    ...(not.length > 0 ? [`(${column} = any(${param(not, `${type}[]`)})) is not true`] : []),
  ];
}

function conditionsOf(filter: Filter, accountId: string, ownHost: string, param: Param): string[] {
  const {
    continent = none,
    referrer = none,
    channel = none,
    link_id = none,
    tag = none,
    domain,
    variant = none,
  } = filter;
  const ofClient = [
    ...clientDimensions.flatMap((name) => among(name, filter[name] ?? none, param)),
    ...among("country", inCountries(continent), param),
  ];
  const idsIn = (table: string, conditions: readonly string[]) =>
    `(select id from ${table} where ${conditions.join(" and ")})`;
  const withReferrer = (hosts: readonly string[]) =>
    idsIn("click_referrers", among("referrer", { is: hosts, not: [] }, param));
  // A channel that is not stored yet is unknown, as in reports.
  const ofChannel = among("coalesce(channel, '')", channel, param);
  return [
    // "is true" makes PostgreSQL look ids up while it reads clicks, whatever number of clicks it expects.
    ...(ofClient.length > 0 ? [`(client_id in ${idsIn("click_clients", ofClient)}) is true`] : []),
    ...(referrer.is.length > 0 ? [`(referrer_id in ${withReferrer(referrer.is)}) is true`] : []),
    ...(referrer.not.length > 0 ? [`referrer_id not in ${withReferrer(referrer.not)}`] : []),
    ...(ofChannel.length > 0 ? [`referrer_id in ${idsIn("click_referrers", ofChannel)}`] : []),
    ...among("link_id", link_id, param, "uuid"),
    ...among("variant", variant, param, "smallint"),
    ...(tag.is.length > 0 ? [`link_id in (${linksWith(tag.is, accountId, param)})`] : []),
    ...(tag.not.length > 0 ? [`link_id not in (${linksWith(tag.not, accountId, param)})`] : []),
    ...(domain ? [`link_id in (${linksOn(domain, accountId, ownHost, param)})`] : []),
  ];
}

const none: Choice = { is: [], not: [] };

const inCountries = ({ is, not }: Choice): Choice => ({ is: is.flatMap(inOne), not: not.flatMap(inOne) });
const inOne = (continent: string) => (continent === "" ? [""] : countriesOf(continent as Continent));

/** SQL: the account's links with one of some tags, which deleted links do not have. */
const linksWith = (keys: readonly string[], accountId: string, param: Param) =>
  `select t.link_id from link_tags t join tags on tags.id = t.tag_id
   where tags.account_id = ${param(accountId, "uuid")} and tags.key = any(${param(keys, "text[]")})`;

/** SQL: the account's links on some hosts, deleted ones included. The own host has no name in the database. */
function linksOn({ is, not }: Choice, accountId: string, ownHost: string, param: Param): string {
  const named = (hosts: readonly string[]) => hosts.map((host) => (host === ownHost ? "" : host));
  const hosts = among("coalesce(domain, '')", { is: named(is), not: named(not) }, param);
  const account = param(accountId, "uuid");
  return ["links", "deleted_links"]
    .map(
      (table) => `select l.id from ${table} l left join domains d on d.id = l.domain_id
        where l.account_id = ${account} and ${hosts.join(" and ")}`,
    )
    .join(" union all ");
}
