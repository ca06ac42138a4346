import { issue } from "../../kernel/issues.ts";
import type { Dimension } from "../../clicks/dimension-names.ts";
import { clickColumns, type ColumnName } from "../../clicks/blocks/block.ts";
import { continents, countriesOf } from "../../clicks/derive/countries.ts";
import { firstIdAt } from "../../clicks/click-id.ts";
import type { Sum } from "../../clicks/blocks/count.ts";
import { forEachYielding } from "../../kernel/async/waiting.ts";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import type { Database } from "../../db/statements.ts";
import { labelOf, unknown } from "../breakdowns/lists.ts";
import { cell, countBlocks, maxSums, stepAmong } from "./count.ts";
import type { Selection } from "./conditions.ts";
import { type ClickQuestion, type Groups, maxGroups } from "../question.ts";

/** How a dimension's values are found for rows of raw clicks. */
interface Source {
  /** The column of `clicks` that they follow from */
  column: ColumnName;
  /** SQL: what is joined to rows `t` with that column; the same for dimensions of the same table */
  join?: string;
  /** SQL: the value as text; "" for none, null if the database has lost it */
  value: string;
}

/** Writes a value into a statement. */
type Param = (value: string, type: string) => string;

/** SQL: the dictionary of a column. */
const joins = {
  client: "left join click_clients c on c.id = t.client_id",
  referrer: "left join click_referrers r on r.id = t.referrer_id",
  campaign: "left join click_campaigns k on k.id = t.campaign_id",
  place: "left join click_places p on p.id = t.place_id",
  bot: "left join click_bots b on b.id = t.bot_id",
};
const from = (column: keyof typeof joins, value: string): Source => ({ column, join: joins[column], value });

/** In these, not every click has an entry. */
const fromOptional = (column: "campaign" | "place", value: string): Source =>
  from(column, `case when t.${column}_id is null then '' else ${value} end`);

/** SQL: the continent of a country, "" if it is on none. */
const continentOfCountry = `case ${continents
  .map((continent) => `when c.country in ('${countriesOf(continent).join("','")}') then '${continent}'`)
  .join(" ")} else '' end`;

/** By dimension. */
const sources: Record<Dimension, Source | ((param: Param, accountId: string, ownHost: string) => Source)> = {
  country: from("client", "c.country"),
  continent: from("client", `case when c.id is not null then ${continentOfCountry} end`),
  region: fromOptional("place", "p.region"),
  city: fromOptional("place", "p.city"),
  device: from("client", "c.device"),
  browser: from("client", "c.browser"),
  os: from("client", "c.os"),
  referrer: from("referrer", "r.referrer"),
  channel: from("referrer", "r.channel"),
  utm_source: fromOptional("campaign", "k.utm_source"),
  utm_medium: fromOptional("campaign", "k.utm_medium"),
  utm_campaign: fromOptional("campaign", "k.utm_campaign"),
  utm_term: fromOptional("campaign", "k.utm_term"),
  utm_content: fromOptional("campaign", "k.utm_content"),
  bot: from("bot", "b.bot"),
  link_id: { column: "link", value: "t.link_id::text" },
  // A link has a row for each of its tags.
  tag: (param, accountId) => ({
    column: "link",
    join: `left join (
        select lt.link_id, tags.name from link_tags lt join tags on tags.id = lt.tag_id
        where tags.account_id = ${param(accountId, "uuid")}
      ) g on g.link_id = t.link_id`,
    value: "coalesce(g.name, '')",
  }),
  domain: (param, accountId, ownHost) => {
    const account = param(accountId, "uuid");
    return {
      column: "link",
      join: `left join (
          select l.id, coalesce(nullif(d.domain, ''), ${param(ownHost, "text")}) as host
          from (
            select id, domain_id from links where account_id = ${account}
            union all select id, domain_id from deleted_links where account_id = ${account}
          ) l left join domains d on d.id = l.domain_id
        ) h on h.id = t.link_id`,
      value: "h.host",
    };
  },
  variant: { column: "variant", value: "coalesce((t.variant + 1)::text, '')" },
};

/** SQL: a value as filters take it. */
const labelled = (name: Dimension, value: string) =>
  `coalesce(case ${value} when '' then '${labelOf(name, "")}' else ${value} end, '${unknown}')`;

interface Row {
  /** From 1, the groups with most clicks first; null for the sum of all that are not listed */
  rank: string | null;
  labels: string[];
  groups: string;
  clicks: string;
  visitors: string;
  earlier_clicks: string;
  earlier_visitors: string;
}

/** Counts the clicks of a selection by the values of one or two dimensions. */
export async function readGroups(
  selection: Selection,
  { scope, window, before, groupBy }: ClickQuestion,
  ownHost: string,
): Promise<Groups> {
  const { database, condition, kind, values } = selection;
  const params: unknown[] = [...values];
  const param = (value: string, type: string) => `$${params.push(value)}::${type}`;
  const chosen = groupBy.map((name) => {
    const source = sources[name];
    return { name, ...(typeof source === "function" ? source(param, scope.accountId, ownHost) : source) };
  });
  const keys = [...new Set(chosen.map(({ column }) => column))];
  const names = keys.map((key) => clickColumns[key]);
  const columns = names.join();
  const joined = [...new Set(chosen.map(({ join = "" }) => join))].join(" ");
  const labels = `array[${chosen.map(({ name, value }) => labelled(name, value)).join()}]`;
  const idAt = (time: number) => param(String(firstIdAt(time)), "bigint");
  const range = { from: before?.from ?? window.from, to: window.to };
  const [earliest, start, end] = [idAt(range.from), idAt(window.from), idAt(window.to)];
  const isCurrent = stepAmong([window.from]);
  const clients = chosen.filter(({ column }) => column === "client").map(({ value }) => value);
  const alike = clients.length > 0 ? await alikeClients(database, clients) : new Map<number, number>();
  const counted = keys.map((column) => (column === "client" ? { column, values: alike } : column));
  const [found = []] = await countBlocks(selection, range, [[isCurrent, ...counted]], { limit });
  const blocks = sqlColumns(params.length + 1, await columnsOf(found, names));
  const ofBlocks = names.map((name) => (name === "link_id" ? "v.value::uuid" : name)).join();
  const { rows } = await database.query<Row>(
    `with counted as materialized (
       select ${columns}, ${countsIn(`id >= ${start}`, "")}, ${countsIn(`id < ${start}`, "earlier_")}
       from clicks where ${condition} and ${kind} and id >= ${earliest} and id < ${end} group by ${columns}
       union all
       select ${ofBlocks}, clicks, visitors, earlier_clicks, earlier_visitors
       from ${blocks.table} ${names.includes("link_id") ? "left join click_values v on v.id = link_id" : ""}
     ),
     labelled as (select ${labels} as labels, ${sums} from counted t ${joined} group by 1),
     ranked as (
       select *, row_number() over (order by clicks desc, earlier_clicks desc, labels collate "C") as rank from labelled
     )
     select rank, labels, 1 as groups, clicks, visitors, earlier_clicks, earlier_visitors
       from ranked where rank <= ${maxGroups}
     union all
     select null, '{}', count(*), ${sums} from ranked where rank > ${maxGroups}
     order by rank`,
    [...params, ...blocks.values],
  );
  const rest = rows.find(({ rank }) => rank === null);
  return {
    listed: rows
      .filter(({ rank }) => rank !== null)
      .map((row) => ({
        values: row.labels,
        counts: { clicks: Number(row.clicks), visitors: Number(row.visitors) },
        before: { clicks: Number(row.earlier_clicks), visitors: Number(row.earlier_visitors) },
      })),
    others: {
      groups: Number(rest?.groups ?? 0),
      clicks: Number(rest?.clicks ?? 0),
      visitors: Number(rest?.visitors ?? 0),
    },
  };
}

/** Of each client the first one with the same values (SQL): there are many more clients than countries, for example. */
async function alikeClients(
  database: Database,
  values: readonly string[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await database.query<{ id: number; first: number }>(
    `select c.id, min(c.id) over (partition by ${values.join()}) as first from click_clients c`,
  );
  return new Map(rows.map(({ id, first }) => [id, first]));
}

/**
 * Sums as columns of a statement: those of the values, and the counts of the window and of the one before. There may be `maxSums`,
 * so other events are handled between two columns.
 */
async function columnsOf(
  found: readonly Sum[],
  names: readonly string[],
): Promise<Record<string, readonly [type: string, array: string]>> {
  const makers: Maker[] = [
    ...names.map((name, at): Maker => [name, "int", ({ values }) => cell(values[at + 1])]),
    ["clicks", "bigint", ({ values, clicks }) => (values[0] === 1 ? clicks : 0)],
    ["visitors", "bigint", ({ values, visitors }) => (values[0] === 1 ? visitors : 0)],
    ["earlier_clicks", "bigint", ({ values, clicks }) => (values[0] === 0 ? clicks : 0)],
    ["earlier_visitors", "bigint", ({ values, visitors }) => (values[0] === 0 ? visitors : 0)],
  ];
  const columns: Record<string, readonly [string, string]> = {};
  await forEachYielding(makers, ([name, type, of]) => {
    columns[name] = [type, sqlArray(found.map(of))];
  });
  return columns;
}

type Maker = [column: string, type: string, of: (sum: Sum) => number | "null"];

const limit = {
  most: maxSums,
  refusal: issue(
    "group_by",
    "too_much_data",
    "this window has too many combinations of values; choose a shorter one, or add filters",
  ),
};

const countsIn = (condition: string, prefix: string) =>
  `count(*) filter (where ${condition}) as ${prefix}clicks,
   count(*) filter (where is_unique and ${condition}) as ${prefix}visitors`;

const sums = ["clicks", "visitors", "earlier_clicks", "earlier_visitors"]
  .map((name) => `sum(${name}) as ${name}`)
  .join();
