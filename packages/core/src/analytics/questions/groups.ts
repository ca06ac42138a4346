import type { PoolClient } from "pg";
import type { CampaignDimension, Dimension, placeDimensions } from "../../clicks/dimension-names.ts";
import { clickColumns, type ColumnName } from "../../clicks/blocks/block.ts";
import { continents, countriesOf } from "../../clicks/derive/countries.ts";
import { firstIdAt } from "../../clicks/click-id.ts";
import type { Sum } from "../../clicks/blocks/count.ts";
import { forEachYielding } from "../../kernel/async/waiting.ts";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import { labelOf, unknown } from "../breakdowns/lists.ts";
import { countBlocks, keyColumn, maxSums, placeAmong } from "./count.ts";
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

const ofClient = (value: string): Source => ({
  column: "client",
  join: "left join click_clients c on c.id = t.client_id",
  value,
});
const ofReferrer = (value: string): Source => ({
  column: "referrer",
  join: "left join click_referrers r on r.id = t.referrer_id",
  value,
});

const ofCampaign = (name: CampaignDimension): Source => ({
  column: "campaign",
  join: "left join click_campaigns k on k.id = t.campaign_id",
  value: `case when t.campaign_id is null then '' else k.${name} end`,
});

const ofPlace = (name: (typeof placeDimensions)[number]): Source => ({
  column: "place",
  join: "left join click_places p on p.id = t.place_id",
  value: `case when t.place_id is null then '' else p.${name} end`,
});

/** SQL: the continent of a country, "" if it is on none. */
const continentOfCountry = `case ${continents
  .map((continent) => `when c.country in (${quotedList(countriesOf(continent))}) then '${continent}'`)
  .join(" ")} else '' end`;

function quotedList(codes: readonly string[]): string {
  return codes.map((code) => `'${code}'`).join();
}

/** By dimension. */
const sources: Record<Dimension, Source | ((param: Param, accountId: string, ownHost: string) => Source)> = {
  country: ofClient("c.country"),
  continent: ofClient(`case when c.id is not null then ${continentOfCountry} end`),
  region: ofPlace("region"),
  city: ofPlace("city"),
  device: ofClient("c.device"),
  browser: ofClient("c.browser"),
  os: ofClient("c.os"),
  referrer: ofReferrer("r.referrer"),
  channel: ofReferrer("r.channel"),
  utm_source: ofCampaign("utm_source"),
  utm_medium: ofCampaign("utm_medium"),
  utm_campaign: ofCampaign("utm_campaign"),
  utm_term: ofCampaign("utm_term"),
  utm_content: ofCampaign("utm_content"),
  bot: {
    column: "bot",
    join: "left join click_bots b on b.id = t.bot_id",
    value: "b.bot",
  },
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
  /** Null for the sum of all groups that are not listed */
  place: string | null;
  labels: string[] | null;
  groups: string;
  clicks: string;
  visitors: string;
  earlier_clicks: string;
  earlier_visitors: string;
}

/** Counts the clicks of a selection by the values of one or two dimensions. */
export async function readGroups(
  database: Pick<PoolClient, "query">,
  selection: Selection,
  { scope, window, before, groupBy }: ClickQuestion,
  ownHost: string,
): Promise<Groups> {
  const { condition, kind, values } = selection;
  const params: unknown[] = [...values];
  const param = (value: string, type: string) => `$${params.push(value)}::${type}`;
  const chosen = groupBy.map((name) => {
    const source = sources[name];
    return { name, ...(typeof source === "function" ? source(param, scope.accountId, ownHost) : source) };
  });
  const keys = [...new Set(chosen.map(({ column }) => column))];
  const names = keys.map((key) => clickColumns[key]);
  const columns = names.join();
  const joins = [...new Set(chosen.map(({ join = "" }) => join))].join(" ");
  const labels = `array[${chosen.map(({ name, value }) => labelled(name, value)).join()}]`;
  const idAt = (time: number) => param(String(firstIdAt(time)), "bigint");
  const [earliest, start, end] = [idAt(before?.from ?? window.from), idAt(window.from), idAt(window.to)];
  const range = { from: before?.from ?? window.from, to: window.to };
  const isCurrent = placeAmong([window.from]);
  const clients = chosen.filter(({ column }) => column === "client").map(({ value }) => value);
  const alike = clients.length > 0 ? await alikeClients(database, clients) : new Map<number, number>();
  const counted = keys.map((column) => (column === "client" ? { column, values: alike } : column));
  const [found = []] = await countBlocks(database, selection, range, [[isCurrent, ...counted]], { limit });
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
     labelled as (select ${labels} as labels, ${sums} from counted t ${joins} group by 1),
     ranked as (
       select *, row_number() over (order by clicks desc, earlier_clicks desc, labels collate "C") as place from labelled
     )
     select place, labels, 1 as groups, clicks, visitors, earlier_clicks, earlier_visitors
       from ranked where place <= ${maxGroups}
     union all
     select null, null, count(*), ${sums} from ranked where place > ${maxGroups}
     order by place`,
    [...params, ...blocks.values],
  );
  const rest = rows.find(({ place }) => place === null);
  return {
    listed: rows
      .filter(({ place }) => place !== null)
      .map(({ labels: named, ...row }) => ({
        values: named ?? [],
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
  database: Pick<PoolClient, "query">,
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
  const counted = (name: "clicks" | "visitors", at: 0 | 1) => () =>
    ["bigint", sqlArray(found.map((sum) => (sum.values[0] === at ? sum[name] : 0)))] as const;
  const makers: [string, () => readonly [string, string]][] = [
    ...names.map((name, at): [string, () => readonly [string, string]] => [
      name,
      () => keyColumn(found, at + 1),
    ]),
    ["clicks", counted("clicks", 1)],
    ["visitors", counted("visitors", 1)],
    ["earlier_clicks", counted("clicks", 0)],
    ["earlier_visitors", counted("visitors", 0)],
  ];
  const columns: Record<string, readonly [string, string]> = {};
  await forEachYielding(makers, ([name, make]) => {
    columns[name] = make();
  });
  return columns;
}

const limit = {
  most: maxSums,
  refusal:
    "group_by: the clicks of this window have too many combinations of values; choose a shorter window, or filters",
};

const countsIn = (condition: string, prefix: string) =>
  `count(*) filter (where ${condition}) as ${prefix}clicks,
   count(*) filter (where is_unique and ${condition}) as ${prefix}visitors`;

const sums = ["clicks", "visitors", "earlier_clicks", "earlier_visitors"]
  .map((name) => `sum(${name}) as ${name}`)
  .join();
