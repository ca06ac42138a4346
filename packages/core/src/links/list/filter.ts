import type { AccountCall, LinkDeps } from "../call.ts";
import { fixed, joined, sql, type Sql } from "../../db/sql.ts";
import { domainName } from "../../domains/domain-name.ts";
import { domainIdsNamed } from "../../domains/sharing.ts";
import { hostToAscii, ownDomainId } from "../../kernel/host-names.ts";
import { dayMs } from "../../kernel/time.ts";
import { idsOfTags } from "../tags/tagging.ts";
import type { filterFields } from "./list.schema.ts";
import type { Sort } from "./names.ts";
import { type Condition, rawCondition } from "./links-sql.ts";
import { conditionOfMaker } from "../makers.ts";
import { conditionOfUrl } from "../locate.ts";
import { normalizeSlug } from "../../kernel/slug.ts";
import { raw } from "@mikro-orm/core";
import type * as z from "zod";

export type LinkFilter = { [Name in keyof typeof filterFields]?: z.output<(typeof filterFields)[Name]> };

export interface Conditions {
  /** All conditions of a filter except the account, which the entity manager adds; empty if there are none */
  where: Condition;
  /**
   * Of a filter with tags or a health: a statement that selects the `link_id` of all links with these, without reading links, and what
   * remains to be asked of these links
   */
  candidates: { sql: Sql; where: Condition } | null;
}

/** All conditions of a filter, as in {@link Conditions.where}. */
export const conditionOf = async (ctx: AccountCall, filter: LinkFilter): Promise<Condition> =>
  (await conditionsOf(ctx, filter)).where;

/** The conditions of a filter, for a list that chooses how to find its links. */
export async function conditionsOf(ctx: AccountCall, filter: LinkFilter): Promise<Conditions> {
  const own = await ownConditions(ctx, filter);
  const selections = await selectionsOf(ctx, filter);
  const all = [...own, ...selections.map((selection) => rawCondition(sql`id in (${selection})`))];
  const inAll = joined(
    selections.map((selection, at) =>
      at === 0 ? sql`(${selection}) s0` : sql`(${selection}) ${fixed(`s${at}`)} using (link_id)`,
    ),
    " join ",
  );
  return {
    where: allOf(all),
    candidates:
      selections.length === 0 ? null : { sql: sql`select link_id from ${inAll}`, where: allOf(own) },
  };
}

const allOf = (conditions: Condition[]): Condition => (conditions.length === 0 ? {} : { $and: conditions });

/** The conditions for columns of a link. */
async function ownConditions(ctx: AccountCall, filter: LinkFilter): Promise<Condition[]> {
  const { deps } = ctx;
  const { search, domain, state, has, created_by, created_from, created_to, last_click_before } = filter;
  const conditions: Condition[] = [];
  if (domain !== undefined) conditions.push(await onDomain(deps, domain));
  if (state) conditions.push(inState[state](deps.clock()));
  if (has) conditions.push({ $or: optionColumns[has].map((column) => ({ [column]: { $ne: null } })) });
  if (created_by !== undefined) conditions.push(await conditionOfMaker(ctx, created_by));
  if (created_from) conditions.push({ created_at: { $gte: created_from } });
  if (created_to) conditions.push({ created_at: { $lt: created_to } });
  if (last_click_before) conditions.push(notClickedSince(last_click_before));
  // Last, because PostgreSQL keeps the order and comparing texts takes longer than the others.
  if (search) conditions.push({ $or: await matching(ctx, search) });
  return conditions;
}

/** The conditions on other tables: statements that select the `link_id`. */
async function selectionsOf({ deps, account }: AccountCall, filter: LinkFilter): Promise<Sql[]> {
  const { tag = [], health } = filter;
  const tagIds = await idsOfTags(deps.pool, account.id, tag);
  // A tag that the account does not have is on no link.
  const selections = tagIds.map((tagId) => sql`select link_id from link_tags where tag_id = ${tagId}`);
  // Links have no health while they are not checked, whatever an earlier check found.
  const checked =
    deps.healthChecks === "off" ? sql`false` : sql`account_id = ${account.id} and status = ${health}`;
  if (health) selections.push(sql`select link_id from link_health where ${checked}`);
  return selections;
}

/**
 * A name on which the account has no links is like one that does not exist. Its ids are asked for before, because PostgreSQL
 * then knows how many links are on them.
 */
async function onDomain(
  { pool, shortHost }: Pick<LinkDeps, "pool" | "shortHost">,
  text: string,
): Promise<Condition> {
  const name = domainName(text);
  if (name === shortHost.host) return { domain_id: ownDomainId };
  const [id, ...further] = await domainIdsNamed(pool, name);
  return { domain_id: id === undefined ? null : further.length === 0 ? id : { $in: [id, ...further] } };
}

/** Every link is in exactly one state: that of the first rule that keeps it from redirecting. */
const inState: Record<NonNullable<LinkFilter["state"]>, (now: Date) => Condition> = {
  inactive: () => ({ $or: [{ is_active: false }, { disabled_at: { $ne: null } }] }),
  scheduled: (now) => ({ ...isOn, starts_at: { $gt: now } }),
  expired: (now) => ({ ...isOn, $and: [hasBegun(now)], expires_at: { $lte: now } }),
  used_up: (now) => ({
    ...isOn,
    $and: [hasBegun(now), hasNotEnded(now)],
    [raw("click_count >= click_limit")]: [],
  }),
  active: (now) => ({
    ...isOn,
    $and: [hasBegun(now), hasNotEnded(now)],
    [raw("(click_limit is null or click_count < click_limit)")]: [],
  }),
};

const isOn = { is_active: true, disabled_at: null };
const hasBegun = (now: Date): Condition => ({ $or: [{ starts_at: null }, { starts_at: { $lte: now } }] });
const hasNotEnded = (now: Date): Condition => ({ $or: [{ expires_at: null }, { expires_at: { $gt: now } }] });

const optionColumns = {
  password: ["password_hash"],
  rules: ["rules", "geo_rules"],
  ab_test: ["ab_test"],
  preview: ["preview"],
  limit: ["click_limit"],
} as const;

const notClickedSince = (time: Date): Condition => ({
  $or: [{ last_click_at: { $lt: time } }, { last_click_at: null }],
});

/**
 * The bound that a filter implies for the time of the last change, by which the list is sorted: a link is not changed
 * before it is created, except by as much as the clocks of two nodes differ. Otherwise "created this week, longest
 * unchanged first" would read all older links.
 */
export function impliedBy({ created_from }: LinkFilter, sort: Sort): Condition[] {
  if (created_from === undefined || !sort.endsWith("updated_at")) return [];
  return [{ updated_at: { $gte: earliestChange(created_from) } }];
}

/** The earliest time of a change of links that were created at a time or later. */
export const earliestChange = (created: Date): Date => new Date(created.getTime() - dayMs);

/**
 * Conditions for links whose slug, title or destination contains a text, or whose short URL it is. Most matches are in
 * destinations, so these are compared first.
 */
async function matching(ctx: AccountCall, search: string) {
  const byUrl = search.includes("/") ? await conditionOfUrl(ctx, search) : null;
  const slugs = new Set([search.normalize("NFC"), normalizeSlug(search)]);
  return [
    ...(byUrl === null ? [] : [byUrl]),
    ...destinationSpellings(search).flatMap((text) => [
      contains(foldAscii, "left(destination, 400)", text),
      { [longDestination]: [], ...contains(foldAscii, "destination", text) },
    ]),
    ...[...slugs].map((slug) => contains(foldCase, "slug", slug)),
    contains(foldCase, "title", search),
  ];
}

type Fold = (text: string) => string;
/** The same in every locale of a database, unlike `ilike`: in Turkish, I is not the capital of i. */
const foldCase: Fold = (text) => `fold_case(${text})`;
/** For destinations, which are ASCII. */
const foldAscii: Fold = (text) => `lower(${text} collate "C")`;

/** Only the first characters of a destination are in the search index; a second one has the links with longer ones. */
const longDestination = raw("octet_length(destination) > 400");

/** The index looks up every trigram of a search; beyond this many characters, comparing rows is faster. */
const maxIndexedCharacters = 50;

/** The condition that an expression contains a text, case-insensitive. */
function contains(fold: Fold, expression: string, text: string) {
  const start = Array.from(text).slice(0, maxIndexedCharacters).join("");
  const pattern = `%${start.replace(/[\\%_]/g, "\\$&")}%`;
  return {
    [raw(`${fold(expression)} like ${fold("?")}`, [pattern])]: [],
    ...(start !== text && { [raw(`strpos(${fold(expression)}, ${fold("?")}) > 0`, [text])]: [] }),
  };
}

/** Destinations are ASCII: other characters are percent-encoded, and in host names written in Punycode (RFC 3492). */
function destinationSpellings(text: string): string[] {
  if (/^[\u0000-\u007F]*$/.test(text)) return [text];
  const host = hostToAscii(text);
  return [encodeURI(text), ...(host.includes("xn--") ? [host] : [])];
}
