import type { Pool } from "pg";

/** Answers to questions about clicks, by SQL over one plain table that shares nothing with the product's. */

/** A click as reports name it. */
export interface PlainClick {
  time: number;
  link_id: string;
  tags: readonly string[];
  domain: string;
  country: string;
  continent: string;
  region: string;
  city: string;
  device: string;
  browser: string;
  os: string;
  referrer: string;
  channel: string;
  /** From 1; "(none)" without a test */
  variant: string;
  /** "(none)" without one */
  utm_source: string;
  utm_campaign: string;
  /** The kind of a bot, "" for people */
  bot: string;
  is_bot: boolean;
  is_first: boolean;
}

export interface PlainQuestion {
  /** The id of the link whose clicks alone count */
  of?: string | undefined;
  period?: string;
  from?: string;
  to?: string;
  granularity?: string;
  tz: string;
  compare?: boolean;
  group_by?: readonly string[];
  [filter: string]: unknown;
}

const texts = [
  "link_id",
  "domain",
  "country",
  "continent",
  "region",
  "city",
  "device",
  "browser",
  "os",
  "referrer",
  "channel",
  "variant",
  "utm_source",
  "utm_campaign",
  "bot",
] as const;

export async function createPlainClicks(pool: Pool, clicks: readonly PlainClick[]): Promise<void> {
  await pool.query(`create table plain_clicks (
    time timestamptz, ${texts.map((name) => `${name} text`).join()}, tags text[], is_bot boolean, is_first boolean)`);
  await pool.query(
    "insert into plain_clicks select * from jsonb_populate_recordset(null::plain_clicks, $1::jsonb)",
    [JSON.stringify(clicks.map((click) => ({ ...click, time: new Date(click.time).toISOString() })))],
  );
}

/** SQL: a local time, given by SQL, in the zone. */
const inZone = (local: string) => `((${local}) at time zone $2)`;
const localNow = "($1::timestamptz at time zone $2)";
const ends: Record<string, string> = { h: "hour", d: "day", y: "month", l: "month" };
const lengths: Record<string, string> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  "1y": "12 months",
};
const quarter = "interval '15 minutes'";

/** SQL: the window of a question as `low`, `high` and the length of its rows, `step`. */
function windowOf({ of, period = "30d", from, to, granularity }: PlainQuestion): string {
  if (from !== undefined) {
    const isDay = (text: string) => text.length === 10;
    const low = isDay(from)
      ? inZone(`timestamp '${from}'`)
      : `date_bin(${quarter}, timestamptz '${from}', 'epoch')`;
    const end = to ?? null;
    const up = (time: string) =>
      `date_bin(${quarter}, ${time} + ${quarter} - interval '1 microsecond', 'epoch')`;
    const high =
      end === null
        ? up("$1::timestamptz")
        : isDay(end)
          ? inZone(`timestamp '${end}' + interval '1 day'`)
          : up(`timestamptz '${end}'`);
    const length = `case when high - low <= interval '48 hours' then 'hour' when high - low <= interval '2400 hours' then 'day' else 'month' end`;
    return `select low, high, ${granularity ? `'${granularity}'` : length} as step from (select ${low} as low, ${high} as high) t`;
  }
  const unit = ends[period.at(-1) ?? ""] as string;
  const last = `date_trunc('${unit}', ${localNow}) + interval '1 ${unit}'`;
  const high = unit === "hour" ? `date_trunc('hour', $1::timestamptz, $2) + interval '1 hour'` : inZone(last);
  const low =
    period === "all"
      ? inZone(
          `date_trunc('month', (select min(time) from plain_clicks where not is_bot and ${isOf(of)}) at time zone $2)`,
        )
      : unit === "hour"
        ? `${high} - interval '24 hours'`
        : inZone(`${last} - interval '${lengths[period]}'`);
  return `select ${low} as low, ${high} as high, '${granularity ?? unit}' as step`;
}

const isOf = (link: string | undefined) => (link === undefined ? "true" : `link_id = '${link}'`);

const literal = (text: string) => `'${text.toLowerCase().replaceAll("'", "''")}'`;

/** SQL: whether a click fits the filters of a question. */
function fits(question: PlainQuestion): string {
  const names = [...texts, "tag"].filter((name) => question[name] !== undefined);
  const all = names.flatMap((name) => {
    const values = [question[name]].flat() as string[];
    const written = values.map((value) => (name === "bot" ? value.replace("any", "any-bot") : value));
    const is = written.filter((value) => !value.startsWith("!")).map(literal);
    const not = written.filter((value) => value.startsWith("!")).map((value) => literal(value.slice(1)));
    const own =
      name === "tag"
        ? "array(select lower(unnest(case when tags = '{}' then array['(none)'] else tags end)))"
        : name === "bot"
          ? "array[bot, 'any-bot']"
          : `array[lower(${name})]`;
    return [
      ...(is.length > 0 ? [`${own} && array[${is.join()}]`] : []),
      ...(not.length > 0 ? [`not ${own} && array[${not.join()}]`] : []),
    ];
  });
  return all.length === 0 ? "true" : all.join(" and ");
}

export interface PlainAnswer {
  from: string;
  to: string;
  clicks: number;
  visitors: number;
  bots: number;
  rows: { clicks: number; visitors: number }[];
  lists: Record<string, { value: string; clicks: number }[]>;
  groups: { labels: string[]; clicks: number; visitors: number }[];
}

const countsOf = (kind: string) =>
  `count(*) filter (where ${kind})::int as clicks, count(*) filter (where is_first and ${kind})::int as visitors`;

export async function answerPlainly(pool: Pool, question: PlainQuestion, now: number): Promise<PlainAnswer> {
  // With a condition on bots, their visits count, and not people's clicks.
  const kind = question["bot"] === undefined ? "not is_bot" : "is_bot";
  const counts = countsOf(kind);
  const found = `found as (select c.* from plain_clicks c, span where time >= low and time < high and ${isOf(question.of)} and ${fits(question)})`;
  const lists = texts.filter(
    (name) => !["continent", "region", "city", "domain", "utm_source", "utm_campaign", "bot"].includes(name),
  );
  const group = (name: string) =>
    name === "tag" ? "unnest(case when tags = '{}' then array['(none)'] else tags end)" : name;
  const text = `with recursive span as (${windowOf(question)}), ${found},
       starts as (
         select low as start, high, step from span
         union all
         select case step when 'hour' then date_trunc('hour', start, $2) + interval '1 hour'
             else (date_trunc(step, start at time zone $2) + ('1 ' || step)::interval) at time zone $2 end, high, step
         from starts where case step when 'hour' then date_trunc('hour', start, $2) + interval '1 hour'
             else (date_trunc(step, start at time zone $2) + ('1 ' || step)::interval) at time zone $2 end < high
       ),
       series as (
         select start, ${counts} from (select start, lead(start, 1, high) over (order by start) as next from starts) s
           left join found on time >= start and time < next and ${kind}
         where true group by start
       )
     select jsonb_build_object(
       'from', (select low from span), 'to', (select high from span),
       'clicks', (select count(*) from found where ${kind}),
       'visitors', (select count(*) from found where is_first and ${kind}),
       'bots', (select count(*) from found where is_bot),
       'rows', (select jsonb_agg(jsonb_build_object('clicks', clicks, 'visitors', visitors) order by start) from series),
       'lists', jsonb_build_object(${lists
         .map(
           (
             name,
           ) => `'${name}', (select coalesce(jsonb_agg(t order by clicks desc, value collate "C"), '[]') from
             (select ${name} as value, count(*) as clicks from found where ${kind} group by 1) t)`,
         )
         .join()}),
       'groups', (select coalesce(jsonb_agg(t order by clicks desc, labels collate "C"), '[]') from
         (select array[${(question.group_by ?? []).map((_, at) => `g${at}`).join() || "''"}]::text[] as labels, ${counts}
          from (select *${(question.group_by ?? []).map((name, at) => `, ${group(name)} as g${at}`).join("")} from found where ${kind}) f
          group by 1) t)
     ) as answer`;
  const written = text
    .replaceAll("$1", `'${new Date(now).toISOString()}'`)
    .replaceAll("$2", `'${question.tz}'`);
  const { rows } = await pool.query<{ answer: PlainAnswer }>(written);
  return (rows[0] as { answer: PlainAnswer }).answer;
}
