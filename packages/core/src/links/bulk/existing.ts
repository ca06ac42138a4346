import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../db/statements.ts";
import { allOptionKinds, noRules, type OptionColumns } from "../../redirects/rules/rules.ts";
import { readColumns } from "../history/change.view.ts";
import { keyOfTag } from "../../kernel/text.ts";
import { tagsOf } from "../tags/tagging.ts";
import { unhashedColumnsOf } from "../options.ts";
import type { NewLinkRow } from "../link.row.ts";
import type { CheckedLink } from "../accept.ts";

/** Decides whether a new link with a taken slug is the existing link. */

/** A link or page that has a requested slug, or a requested id. Its id is null if it is another account's. */
export interface ComparableLink extends OptionColumns, Pick<NewLinkRow, (typeof plainColumns)[number]> {
  id: string | null;
  tags: readonly string[];
}

const plainColumns = ["domain_id", "slug", "destination", "title", "notes", "qr", "is_active"] as const;
const columns = [...plainColumns, ...allOptionKinds.map(({ column }) => column)];

/** The links that have the requested slugs, by short URL, and those that have the requested ids, by id. */
export async function existingFor(
  database: Database,
  accountId: string,
  links: readonly CheckedLink[],
): Promise<ReadonlyMap<string, ComparableLink>> {
  const existing = new Map<string, ComparableLink>();
  const requested = links.filter(({ input }) => input.slug !== undefined);
  const ids = links.flatMap(({ id }) => id ?? []);
  if (requested.length === 0 && ids.length === 0) return existing;
  const domains = requested.map(({ domain_id }) => domain_id);
  const slugs = requested.map(({ input }) => input.slug);
  const { rows } = await database.query<Omit<ComparableLink, "tags">>({
    name: "links-with-slugs",
    text: `select case when account_id = $1 then id end as id, ${columns.join(", ")} from links
           where (domain_id, slug) in (select * from unnest($2::uuid[], $3::text[]))
             or (id = any($4::uuid[]) and account_id = $1)`,
    values: [accountId, domains, slugs, ids],
  });
  const ownIds = rows.flatMap(({ id }) => id ?? []);
  const tags = await tagsOf(database, ownIds);
  for (const row of rows) {
    const link = { ...readColumns(row), tags: tags.get(row.id ?? "") ?? [] };
    existing.set(shortUrlKey(row.domain_id, row.slug), link);
    if (row.id !== null) existing.set(row.id, link);
  }
  return existing;
}

const shortUrlKey = (domainId: string, slug: string) => `${domainId}/${slug}`;
/** The key of the short URL that a link requests. */
export const keyOf = ({ domain_id, input: { slug = "" } }: CheckedLink) => shortUrlKey(domain_id, slug);

/** The link as it would be stored, with its password unhashed. */
export async function comparableOf({ input, domain_id }: CheckedLink): Promise<ComparableLink> {
  return {
    ...noRules,
    ...(await unhashedColumnsOf(input)),
    id: null,
    domain_id,
    slug: input.slug ?? "",
    destination: input.url,
    title: input.title ?? null,
    notes: input.notes ?? null,
    qr: input.qr ?? null,
    is_active: Boolean(input.is_active ?? true),
    tags: input.tags ?? [],
  };
}

/**
 * The fields in which a stored link differs from a new one. Title, notes, look and tags count only if the new one has
 * them. Two passwords cannot be compared.
 */
export async function differencesFrom(existing: ComparableLink, link: CheckedLink): Promise<string[]> {
  const { input } = link;
  const wanted = await comparableOf(link);
  const isSame = {
    url: existing.destination === wanted.destination,
    domain: existing.domain_id === wanted.domain_id,
    slug: input.slug === undefined || existing.slug === wanted.slug,
    title: input.title === undefined || existing.title === wanted.title,
    notes: input.notes === undefined || existing.notes === wanted.notes,
    qr: input.qr === undefined || isDeepStrictEqual(existing.qr, wanted.qr),
    tags: input.tags === undefined || isDeepStrictEqual(tagKeysOf(existing.tags), tagKeysOf(wanted.tags)),
    is_active: existing.is_active === wanted.is_active,
  };
  return [
    ...Object.entries(isSame).flatMap(([name, same]) => (same ? [] : [name])),
    ...allOptionKinds.flatMap(({ field, column, toOutput }) => {
      const [stored, would] = [existing, wanted].map((row) =>
        plain(toOutput((row as unknown as Record<string, never>)[column] ?? null)),
      );
      return isDeepStrictEqual(stored, would) ? [] : [field];
    }),
  ];
}

const tagKeysOf = (tags: readonly string[]) => tags.map(keyOfTag).toSorted();

/** As JSON has it, where an undefined member is a missing one. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
