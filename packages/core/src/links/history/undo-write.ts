import { isUniqueViolation } from "../../db/errors.ts";
import type { Database } from "../../db/statements.ts";
import { addedTo, hostsOf } from "../../domains/redirect-loops.ts";
import { holdDomains } from "../../domains/sharing.ts";
import { noLoop } from "../../redirects/destination.ts";
import { type AppError, concurrentChange } from "../../kernel/errors.ts";
import { requireRoomForTags, setTags } from "../tags/tagging.ts";
import { removeLinks } from "../link.row.ts";
import { slugTaken } from "../unique-slug.ts";
import { type Change, contextOf, setChangeContext } from "../../history/change.ts";
import { type Columns, destinationsIn, tagsIn } from "./change.view.ts";
import type { Step } from "./undo-checks.ts";

/** A short URL whose route has changed. */
export interface Path {
  domain_id: string;
  slug: string;
}

/** The written links, and the taken slugs by the ids of their links. */
interface Written {
  paths: Path[];
  taken: Map<string, AppError>;
}

/** Writes the steps of an undo as one change. Throws 503 if a host became a short-link host, or a domain ceased to be shared, at the same time. */
export async function writeSteps(
  database: Database,
  change: Change,
  accountId: string,
  steps: readonly Step[],
): Promise<Written> {
  await database.query(`select ${setChangeContext("$1")}`, [contextOf(change)]);
  const write: Write = { database, at: change.at, accountId, known: await knownColumns(database) };
  const paths: Path[] = [];
  const taken = new Map<string, AppError>();
  const removed = steps.flatMap((step) => (step.kind === "remove" ? step.id : []));
  if (removed.length > 0) paths.push(...(await removeLinks(database, change, removed, accountId)));
  for (const group of byColumns(steps.filter((step) => step.kind === "update")))
    paths.push(...(await update(write, group)));
  const restored = steps.filter((step) => step.kind === "restore");
  await holdDomains(
    database,
    accountId,
    restored.map(({ columns }) => String(columns["domain_id"])),
  );
  if (restored.length > 0) paths.push(...(await restore(write, restored, taken)));
  const written = steps.filter(({ id }) => !taken.has(id));
  await writeTags(database, accountId, written);
  return { paths, taken };
}

interface Write {
  database: Database;
  at: Date;
  accountId: string;
  known: ReadonlySet<string>;
}

/** Throws 403 if the account has no room for tags that are to come back. */
async function writeTags(database: Database, accountId: string, steps: readonly Step[]): Promise<void> {
  const links = steps.flatMap((step) => {
    const tags = step.kind === "remove" ? undefined : tagsIn(step.columns);
    return tags ? [{ id: step.id, tags }] : [];
  });
  if (links.length === 0) return;
  const names = links.flatMap(({ tags }) => tags);
  await requireRoomForTags(database, accountId, names);
  await setTags(database, accountId, links);
}

type Update = Extract<Step, { kind: "update" }>;

/** The columns of links, which may be fewer than when a change was recorded. */
async function knownColumns(database: Database): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = 'links'::regclass and attnum > 0 and not attisdropped",
  );
  return new Set(rows.map(({ name }) => name));
}

/** One statement sets the same columns of all its links. */
function byColumns(steps: readonly Update[]): Update[][] {
  const groups = Map.groupBy(steps, ({ columns }) => Object.keys(columns).toSorted().join());
  return [...groups.values()];
}

async function update({ database, at, accountId, known }: Write, steps: readonly Update[]): Promise<Path[]> {
  const columns = Object.keys(steps[0]?.columns ?? {}).filter((column) => known.has(column));
  const changes = steps.map(({ id, columns: values }) => ({ id, values }));
  const { rows } = await database
    .query<Path>(
      `update links set ${columns.map((column) => `"${column}" = old."${column}", `).join("")}updated_at = $2
       from jsonb_array_elements($1::jsonb) change, jsonb_populate_record(null::links, change -> 'values') old
       where links.id = (change ->> 'id')::uuid and ${noLoop("$3", "$4")}
       returning links.domain_id, links.slug`,
      [JSON.stringify(changes), at, steps.flatMap(addedHosts), accountId],
    )
    .catch((error: unknown) => {
      const slug = steps[0]?.columns["slug"];
      const isTaken = isUniqueViolation(error) && typeof slug === "string";
      throw isTaken ? slugTaken(slug) : error;
    });
  if (rows.length !== steps.length) throw concurrentChange();
  return [...rows, ...steps.map(({ now }) => now as unknown as Path)];
}

/**
 * Brings deleted links back. Clicks that were counted after the deletion are among those of their days. The row of a deleted
 * link goes, because analytics find the link itself again. Links whose slugs are taken are noted in `taken`.
 */
async function restore(
  { database, at, accountId, known }: Write,
  steps: readonly Extract<Step, { kind: "restore" }>[],
  taken: Map<string, AppError>,
): Promise<Path[]> {
  const own = new Set(["updated_at", "click_count"]);
  const named = new Set(steps.flatMap(({ columns }) => Object.keys(columns)));
  const columns = [...named].filter((column) => known.has(column) && !own.has(column));
  const list = (prefix: string) => columns.map((column) => `${prefix}"${column}"`).join(", ");
  const rows = steps.map((step) => step.columns);
  const { rows: restored } = await database.query<Path & { id: string }>(
    `with restored as (
       insert into links (${list("")}, updated_at, click_count)
       select ${list("old.")}, $2, (select coalesce(sum(clicks), 0) from link_days where link_id = old.id)
       from jsonb_array_elements($1::jsonb) deleted, jsonb_populate_record(null::links, deleted) old
       where old.account_id = $4 and ${noLoop("$3", "$4")}
       order by old.domain_id, old.slug
       on conflict do nothing
       returning *
     ), forgotten as (
       delete from deleted_links where id in (select id from restored)
     )
     select id, domain_id, slug, record_link_change(id, account_id, 'restore', null, to_jsonb(restored), null)::text
     from restored`,
    [JSON.stringify(rows), at, hostsIn(rows), accountId],
  );
  const back = new Set(restored.map(({ id }) => id));
  for (const { id, columns: row } of steps) {
    if (!back.has(id)) taken.set(id, slugTaken(String(row["slug"])));
  }
  if (restored.length === 0) {
    const text = `select where ${noLoop("$1", "$2")}`;
    const { rowCount } = await database.query(text, [hostsIn(rows), accountId]);
    if (rowCount === 0) throw concurrentChange();
  }
  return restored;
}

/** The hosts that a link does not lead to yet. */
const addedHosts = ({ now, columns }: Update) =>
  hostsOf(addedTo(destinationsIn(now), destinationsIn(columns)));

/** The hosts of all destinations among columns of links. */
const hostsIn = (rows: readonly Columns[]): string[] =>
  rows.flatMap((columns) => hostsOf(destinationsIn(columns)));
