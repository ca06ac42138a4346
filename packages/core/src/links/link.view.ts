import type { Call } from "./call.ts";
import type { Database } from "../db/statements.ts";
import { DomainEntity } from "../domains/domain.row.ts";
import { readHealth } from "../safety/health/queue.ts";
import { ownDomainId } from "../kernel/host-names.ts";
import { anyOptions, type OptionOutput } from "../redirects/rules/rules.ts";
import type { Link } from "./link.schema.ts";
import { tagsOf } from "./tags/tagging.ts";
import type { StoredOptions } from "./options.ts";
import type { QrLook } from "./qr/look.ts";

/** The part of a link's row that clients see. */
export interface LinkRow extends StoredOptions {
  id: string;
  domain_id: string;
  slug: string;
  destination: string;
  title?: string | null | undefined;
  click_count: number;
  last_click_at?: Date | null | undefined;
  imported_clicks?: number | undefined;
  fallbacks?: number | undefined;
  is_active: boolean;
  disabled_at?: Date | null | undefined;
  disabled_reason?: string | null | undefined;
  /** Null for a link that is new; otherwise it is read */
  health?: null | undefined;
  created_at: Date;
  updated_at: Date;
  notes?: string | null | undefined;
  qr?: QrLook | null | undefined;
  /** Sorted; read if they are missing */
  tags?: readonly string[];
}

/** Turns rows into what clients see; an extra read for tags, one if custom domains are among them, and one if links are checked. */
export async function toLinks(
  { deps, em }: Pick<Call, "deps" | "em">,
  rows: readonly LinkRow[],
  database: Database = deps.pool,
): Promise<Link[]> {
  const custom = new Set(rows.map((row) => row.domain_id).filter((id) => id !== ownDomainId));
  const domains = custom.size === 0 ? [] : await em.find(DomainEntity, { id: { $in: [...custom] } });
  const nameOf = new Map(domains.map(({ id, domain }) => [id, domain]));
  const untagged = rows.filter(({ tags }) => tags === undefined).map(({ id }) => id);
  const tags = await tagsOf(database, untagged);
  const healthOf = await readHealth(
    deps,
    rows.filter(({ health }) => health === undefined).map(({ id }) => id),
  );
  return rows.map((row) => {
    const customDomain = nameOf.get(row.domain_id);
    const shortUrl = deps.shortHost.urlOf(row.slug, customDomain);
    return {
      id: row.id,
      slug: row.slug,
      shortUrl,
      short_url: shortUrl,
      destination: row.destination,
      domain: customDomain ?? deps.shortHost.host,
      title: row.title ?? null,
      click_count: row.click_count,
      last_click_at: row.last_click_at?.toISOString() ?? null,
      imported_clicks: row.imported_clicks ?? 0,
      fallbacks: row.fallbacks ?? 0,
      is_active: row.is_active ? 1 : 0,
      disabled_at: row.disabled_at?.toISOString() ?? null,
      disabled_reason: row.disabled_reason ?? null,
      health: healthOf.get(row.id) ?? null,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      tags: [...(row.tags ?? tags.get(row.id) ?? [])],
      notes: row.notes ?? null,
      qr: row.qr ?? null,
      ...optionsOf(row),
    };
  });
}

const optionsOf = (row: StoredOptions) =>
  Object.fromEntries(
    anyOptions.map(({ column, output, toOutput }) => [
      output.name,
      toOutput(row[column as keyof StoredOptions] ?? null),
    ]),
  ) as OptionOutput;

/** Turns one row into what clients see. */
export async function toLink(ctx: Call, row: LinkRow): Promise<Link> {
  const [link] = await toLinks(ctx, [row]);
  return link as Link;
}
