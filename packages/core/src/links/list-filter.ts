import { type FilterQuery, type InferEntity, type QueryOrderMap, raw } from "@mikro-orm/core";
import type * as z from "zod";
import type { Deps } from "../deps.ts";
import { domainName } from "../domains/index.ts";
import type { HealthStatus } from "../health/index.ts";
import { ownDomainId } from "../kernel/short-host.ts";
import { dayMs, utcDate } from "../kernel/time.ts";
import type { Call } from "../rpc/procedure.ts";
import { idsOfTags } from "../tags/index.ts";
import type { LinkEntity } from "./link.entity.ts";
import type { filterFields } from "./list.input.ts";
import type { Sort } from "./list-names.ts";
import { matching } from "./search.ts";

export type LinkFilter = { [Name in keyof typeof filterFields]?: z.output<(typeof filterFields)[Name]> };
export type LinkColumns = InferEntity<typeof LinkEntity>;
type Condition = FilterQuery<LinkColumns>;

/** The conditions of a filter. The entity manager adds the one for the account. */
export async function conditionOf({ deps, actor }: Call, filter: LinkFilter): Promise<Condition> {
  const {
    search,
    domain,
    state,
    has,
    tag = [],
    health,
    created_from,
    created_to,
    last_click_before,
  } = filter;
  const accountId = actor.kind === "account" ? actor.account.id : null;
  const conditions: Condition[] = [];
  if (search) conditions.push({ $or: matching(search) });
  if (domain !== undefined) conditions.push(onDomain(domain, deps.shortHost.host, accountId));
  if (state) conditions.push(inState[state](deps.clock()));
  if (has) conditions.push({ $or: optionColumns[has].map((column) => ({ [column]: { $ne: null } })) });
  if (accountId !== null)
    for (const id of await idsOfTags(deps.pool, accountId, tag)) conditions.push(withTag(id));
  if (health) conditions.push(hasHealth(health, deps.healthChecks));
  if (created_from) conditions.push({ created_at: { $gte: created_from } });
  if (created_to) conditions.push({ created_at: { $lt: created_to } });
  if (last_click_before) conditions.push(notClickedSince(last_click_before));
  return conditions.length === 0 ? {} : { $and: conditions };
}

/** A tag that the account does not have is on no link. */
const withTag = (id: string | null): Condition => ({
  [raw("exists (select from link_tags t where t.link_id = id and t.tag_id = ?)", [id])]: [],
});

/** A name that is not the account's has no links, like one that does not exist. */
function onDomain(text: string, ownHost: string, accountId: string | null): Condition {
  const name = domainName(text);
  if (name === ownHost) return { domain_id: ownDomainId };
  return {
    [raw("domain_id = (select id from domains where account_id = ? and domain = ?)", [accountId, name])]: [],
  };
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

/** Links have no health while they are not checked, whatever an earlier check found. */
const hasHealth = (status: HealthStatus, checks: Deps["healthChecks"]): Condition => ({
  [raw("exists (select from link_health h where h.link_id = id and h.status = ?) and ?", [
    status,
    checks !== "off",
  ])]: [],
});

/**
 * Clicks that the version before counted have no time in the link's row: for those the rollup by day decides, and a click
 * on the day of `time` counts as later.
 */
const notClickedSince = (time: Date): Condition => ({
  $or: [
    { last_click_at: { $lt: time } },
    { last_click_at: null, click_count: 0 },
    {
      last_click_at: null,
      [raw("not exists (select from link_days d where d.link_id = id and d.clicks > 0 and d.day >= ?)", [
        utcDate(time.getTime()),
      ])]: [],
    },
  ],
});

/**
 * What follows from a filter for the time of the last change, by which the list is sorted: a link is not changed before it is
 * created, except by as much as the clocks of two nodes differ. Otherwise "created this week, longest unchanged first" would
 * read all older links.
 */
export function impliedBy({ created_from }: LinkFilter, sort: Sort): Condition[] {
  if (created_from === undefined || !sort.endsWith("updated_at")) return [];
  return [{ updated_at: { $gte: new Date(created_from.getTime() - dayMs) } }];
}

/** The order of a list. It ends with the id, so that pages neither overlap nor leave gaps. */
export function orderOf(sort: Sort): QueryOrderMap<LinkColumns>[] {
  const isDescending = sort.startsWith("-");
  const column = isDescending ? sort.slice(1) : sort;
  const direction = isDescending ? "desc" : "asc";
  if (column === "slug") return [{ [raw('slug collate "C"')]: direction }, { id: direction }];
  if (column === "last_click_at")
    return [{ last_click_at: isDescending ? "desc nulls last" : "asc nulls first" }, { id: direction }];
  return [{ [column]: direction }, { id: direction }];
}
