import type { Base } from "../../db/base.ts";
import type { PoolClient } from "pg";
import type { Report } from "../analytics.schema.ts";
import { sqlArray } from "../../db/arrays.ts";
import { byClicks } from "./lists.ts";
import type { ValueCount } from "../question.ts";

interface Row {
  id: string;
  slug: string;
  destination: string;
  title: string | null;
  domain: string | null;
}

/** A link as analytics show it, whether it exists or was deleted. */
export interface NamedLink {
  slug: string;
  domain: string;
  shortUrl: string;
  destination: string;
  title: string | null;
}

/** Reads links by id, including deleted ones; the domain is null for the service's own host. */
export async function linkRows(database: Pick<PoolClient, "query">, ids: readonly string[]): Promise<Row[]> {
  const { rows } = await database.query<Row>({
    name: "named-links",
    text: `select l.id, slug, destination, title, nullif(d.domain, '') as domain from (
             select id, domain_id, slug, destination, title from links where id = any($1::uuid[])
             union all
             select id, domain_id, slug, destination, title from deleted_links where id = any($1::uuid[])
           ) l left join domains d on d.id = domain_id`,
    values: [sqlArray(ids)],
  });
  return rows;
}

/** The same by id, with their short URLs. */
export async function namedLinks(
  database: Pick<PoolClient, "query">,
  { shortHost }: Pick<Base, "shortHost">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedLink>> {
  const rows = await linkRows(database, ids);
  return new Map(
    rows.map(({ id, slug, destination, title, domain }) => {
      const shortUrl = shortHost.urlOf(slug, domain ?? undefined);
      return [id, { slug, domain: domain ?? shortHost.host, shortUrl, destination, title }];
    }),
  );
}

/** Returns links with their clicks, most clicks first. */
export async function topLinks(
  database: Pick<PoolClient, "query">,
  deps: Pick<Base, "shortHost">,
  values: readonly ValueCount[],
): Promise<Report["top_links"]> {
  if (values.length === 0) return [];
  const links = await namedLinks(
    database,
    deps,
    values.map(({ value }) => value),
  );
  return values.toSorted(byClicks).flatMap(({ value: id, clicks }) => {
    const link = links.get(id);
    return link ? { id, ...link, clicks } : [];
  });
}
