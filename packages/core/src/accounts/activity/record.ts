import { parseAgent } from "../../clicks/derive/user-agent.ts";
import type { Base } from "../../db/base.ts";
import type { CallDeps } from "../../rpc/call.ts";
import { networkOf } from "../../kernel/addresses.ts";
import type { Account, Actor, Source } from "../../kernel/context.ts";
import { coreEvent } from "../../kernel/events.ts";
import { type Action, type ActorKind, type FieldChanges, repeatable } from "./activity.schema.ts";

/** What recording an activity needs. */
export type ActivityDeps = Pick<CallDeps, "pool" | "clock" | "newId" | "onEvent">;

/** Who did something to which account, and from where. */
export interface ActivityActor {
  account_id: string;
  /** Only sessions and keys have an id. "visitor" was signing in; "service" is the service or another program on the core */
  by: { kind: ActorKind; id: string | null; name?: string | null; user_id?: string | null };
  source?: Source | undefined;
}

/** What it was done to, if `about` does not say it, and what was changed. Null stands for what did not exist. */
export interface ActivityTarget {
  id?: string;
  name?: string;
  before?: object | null;
  after?: object | null;
}

/** The caller of a procedure. */
export function actorOf({ account, actor }: { account: Pick<Account, "id">; actor: Actor }): ActivityActor {
  if (actor.kind !== "account") return serviceActor(account.id);
  const { credential, session_id = null, key, source, user } = actor;
  if (credential === "internal") return serviceActor(account.id, source);
  const by =
    credential === "session"
      ? {
          kind: credential,
          id: session_id,
          name: user?.name ?? null,
          user_id: user?.id ?? account.id,
        }
      : { kind: credential, id: key?.id ?? null, name: key?.name ?? null, user_id: user?.id ?? null };
  return { account_id: account.id, by, source };
}

const actorOfKind =
  (kind: ActorKind) =>
  (account_id: string, source?: Source): ActivityActor => ({ account_id, by: { kind, id: null }, source });

/** The operator, by the admin command. */
export const operatorActor = actorOfKind("operator");
/** The service itself. */
export const serviceActor = actorOfKind("service");
/** A person who is signing in. */
export const visitorActor = actorOfKind("visitor");

/**
 * Records what happened to an account, for its owner (`GET /v1/me/activity`), for the log of the workspace (`GET /v1/activity`)
 * and for the operator (an event). Call it after the change: it does not throw, because the change cannot be undone if the
 * record fails. `about` is one line without secrets, see `actions`; nor has `target` any, as members read it.
 */
export async function recordActivity(
  deps: ActivityDeps,
  { account_id, by, source }: ActivityActor,
  action: Action,
  about: string | null = null,
  { id = null, name = null, before, after }: Nullable<ActivityTarget> = {},
): Promise<void> {
  const { network, client } = clientOf(source);
  try {
    const fields = before || after ? JSON.stringify(differences(before, after)) : null;
    const target = [by.name ?? null, by.user_id ?? null, id, name, fields];
    const values = [account_id, deps.clock(), action, by.kind, by.id, about, network, client, ...target];
    if (repeatable.has(action) && (await countRepetition(deps, values))) return;
    const named = { account: account_id, by: by.kind, by_id: by.id, about, address: network, client };
    deps.onEvent(coreEvent("account_activity", { action, ...named }));
    await insert(deps, values);
  } catch (err) {
    deps.onEvent(coreEvent("activity_not_recorded", { action, account: account_id, err }));
  }
}

/** Increments the count of the same action within the last hour; false if there is none. */
async function countRepetition({ pool }: ActivityDeps, values: readonly unknown[]): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "count-activity",
    text: `update activity set count = count + 1
           where id = (
             select id from activity
             where account_id = $1 and action = $3 and at > $2::timestamptz - interval '1 hour'
             order by id desc limit 1)`,
    values: values.slice(0, 3),
  });
  return rowCount === 1;
}

/** A person without another id is the account's own. */
async function insert({ pool, newId }: ActivityDeps, values: readonly unknown[]): Promise<void> {
  await pool.query({
    name: "add-activity",
    text: `insert into activity (account_id, at, action, by_kind, by_id, about, network, client,
             by_name, user_id, target_id, target_name, fields, id)
           select $1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, name), coalesce(person, $10), $11, $12, $13, $14
           from (select case when $4 = 'session' then coalesce($10::uuid, $1::uuid) end as person) p
           left join users on users.id = person`,
    values: [...values, newId()],
  });
}

type Nullable<T> = { [Name in keyof T]?: T[Name] | null | undefined };

/** Characters of a value, as JSON, and of all values of an entry */
const maxValue = 500;
const maxValues = 8000;

/** The fields whose values differ. */
function differences(before: object | null = null, after: object | null = null): FieldChanges {
  const [from, to] = [{ ...before }, { ...after }] as Record<string, unknown>[];
  const changes = Object.keys({ ...from, ...to }).map(
    (field) => [field, { from: from?.[field] ?? null, to: to?.[field] ?? null }] as const,
  );
  return shortened(
    Object.fromEntries(changes.filter(([, each]) => JSON.stringify(each.from) !== JSON.stringify(each.to))),
  );
}

/** Changes of fields whose long values are shortened; those of the last fields are left out if there are too many. */
export function shortened(changes: FieldChanges): FieldChanges {
  let left = maxValues;
  const short = (value: unknown) => {
    const text = JSON.stringify(value ?? null);
    const shown =
      text.length > maxValue || text.length > left ? `${text.slice(0, Math.min(maxValue, left))}…` : value;
    left = Math.max(0, left - text.length);
    return shown;
  };
  return Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [field, { from: short(from), to: short(to) }]),
  );
}

/** Milliseconds between two reports */
const pauseMs = 1000;

/** Reports refused credentials that belong to no account. */
export interface Refusals {
  report(
    credential: "key" | "token" | "directory token" | "session" | "sign-in" | "sign-in link" | "passkey",
    reason: string,
    source?: Source,
  ): void;
}

/**
 * A flood of refusals must not become a flood of log lines: each process reports one a second, with the number of those
 * since the last report.
 */
export function createRefusals({ onEvent, clock }: Pick<Base, "onEvent" | "clock">): Refusals {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    report(credential, reason, source) {
      count += 1;
      const now = clock().getTime();
      if (now - reportedAt < pauseMs) return;
      const { network: address, client } = clientOf(source);
      onEvent(coreEvent("credential_refused", { refused: credential, reason, count, address, client }));
      reportedAt = now;
      count = 0;
    },
  };
}

/** The recorded origin of a call. */
export const clientOf = ({ address, user_agent }: Source = {}) => ({
  /** The /24 of an IPv4 address, the /48 of an IPv6 address */
  network: address === undefined ? null : networkOf(address),
  /** Such as "Firefox on Linux" or "curl/8.5.0" */
  client: user_agent ? describeAgent(user_agent) : null,
});

/** A browser and its system without versions, or the product that a program names first. */
function describeAgent(userAgent: string): string | null {
  const { browser, os } = parseAgent(userAgent);
  if (browser !== null) return os === null ? browser : `${browser} on ${os}`;
  return /^[\w.-]{1,40}(\/[\w.-]{1,20})?/.exec(userAgent)?.[0] ?? null;
}
