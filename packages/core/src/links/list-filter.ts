import { type FilterQuery, type InferEntity, type QueryOrderMap, raw } from "@mikro-orm/core";
import type * as z from "zod";
import { domainName } from "../domains/index.ts";
import { ownDomainId } from "../kernel/short-host.ts";
import { utcDate } from "../kernel/time.ts";
import type { Call } from "../rpc/procedure.ts";
import type { LinkEntity } from "./link.entity.ts";
import type { filterFields, Sort } from "./list.input.ts";
import { matching } from "./search.ts";

export type LinkFilter = { [Name in keyof typeof filterFields]?: z.output<(typeof filterFields)[Name]> };
export type LinkColumns = InferEntity<typeof LinkEntity>;
type Condition = FilterQuery<LinkColumns>;

/** The conditions of a filter. The entity manager adds the one for the account. */
export function conditionOf({ deps, actor }: Call, filter: LinkFilter): Condition {
  const { search, domain, state, has, created_from, created_to, last_click_before } = filter;
  const accountId = actor.kind === "account" ? actor.account.id : null;
  const conditions: Condition[] = [];
  if (search) conditions.push({ $or: matching(search) });
  if (domain !== undefined) conditions.push(onDomain(domain, deps.shortHost.host, accountId));
  if (state) conditions.push(inState[state](deps.clock()));
  if (has) conditions.push({ [optionColumns[has]]: { $ne: null } });
  if (created_from) conditions.push({ created_at: { $gte: created_from } });
  if (created_to) conditions.push({ created_at: { $lt: created_to } });
  if (last_click_before) conditions.push(notClickedSince(last_click_before));
  return conditions.length === 0 ? {} : { $and: conditions };
}

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
  expired: (now) => ({ is_active: true, disabled_at: null, expires_at: { $lte: now } }),
  active: (now) => ({
    is_active: true,
    disabled_at: null,
    $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
  }),
};

const optionColumns = { password: "password_hash", rules: "geo_rules", ab_test: "ab_test" } as const;

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
