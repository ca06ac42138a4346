import type { Database } from "../../db/statements.ts";
import type { ShortHost } from "../../kernel/host-names.ts";
import type { Report } from "../analytics.schema.ts";
import { sqlArray } from "../../db/arrays.ts";
import { byClicks } from "./lists.ts";
import type { ValueCount } from "../question.ts";

/** A link as analytics show it, whether it exists or was deleted. */
type NamedLink = Omit<Report["top_links"][number], "id" | "clicks">;

/** Reads links by id, including deleted ones. */
export async function namedLinks(
  database: Database,
  shortHost: ShortHost,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedLink>> {
  type Row = Omit<NamedLink, "domain" | "shortUrl"> & { id: string; domain: string | null };
  const { rows } = await database.query<Row>({
    name: "named-links",
    text: `select l.id, slug, destination, title, nullif(d.domain, '') as domain from (
             select id, domain_id, slug, destination, title from links where id = any($1::uuid[])
             union all
             select id, domain_id, slug, destination, title from deleted_links where id = any($1::uuid[])
           ) l left join domains d on d.id = domain_id`,
    values: [sqlArray(ids)],
  });
  return new Map(
    rows.map(({ id, slug, destination, title, domain }) => {
      const shortUrl = shortHost.urlOf(slug, domain ?? undefined);
      return [id, { slug, domain: domain ?? shortHost.host, shortUrl, destination, title }];
    }),
  );
}

/** Returns links that have clicks, most clicks first. */
export async function topLinks(
  database: Database,
  shortHost: ShortHost,
  values: readonly ValueCount[],
): Promise<Report["top_links"]> {
  const clicked = values.filter(({ clicks }) => clicks > 0).toSorted(byClicks);
  if (clicked.length === 0) return [];
  const ids = clicked.map(({ value }) => value);
  const links = await namedLinks(database, shortHost, ids);
  return clicked.flatMap(({ value: id, clicks }) => {
    const link = links.get(id);
    return link ? { id, ...link, clicks } : [];
  });
}
