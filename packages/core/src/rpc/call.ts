import type { Pool } from "pg";
import type { Base } from "../db/base.ts";
import type { Em, Orm } from "../db/em.ts";
import type { ChangeTimes } from "../db/replicas.ts";
import type { Account, Acting, Context } from "../kernel/context.ts";
import type { PasswordCost } from "../kernel/secrets.ts";
import type { Policy } from "../kernel/access.ts";
import type { Once } from "./idempotency/once.ts";
import type { CreationLimit } from "./limits/creation-limit.ts";
import type { Limits } from "./limits/limits.ts";
import type { PasswordLimit } from "./limits/passwords.ts";

/** Dependencies of every procedure. Rooms above add their own: see `call.ts` there. */
export interface CallDeps extends Base {
  /** Uses the connections of `pool` */
  readonly orm: Orm;
  /** The ORM on the connections of another pool, which is a replica's */
  readonly ormOf: (pool: Pool) => Orm;
  /** When each account last changed something through this process */
  readonly writes: ChangeTimes;
  /** UUIDs that sort by time (RFC 9562, version 7) */
  readonly newId: () => string;
  /** The policy for strangers: what they can do without an account, and who gets one */
  readonly policy: Policy;
  /** Public address of the API, by which receivers of requests know who sent them */
  readonly baseUrl: string;
  /** Whether mails are sent; without a server they are queued all the same, for the operator to read */
  readonly hasMail: boolean;
  /** How often the destination of each link is checked */
  readonly healthChecks: "off" | "daily" | "weekly";
  /** Changes of links are kept for this many days */
  readonly historyDays: number;
  /** Recorded activity is kept for this many days */
  readonly activityDays: number;
  /** Cost of the hashes that are made from now on */
  readonly passwordCost: PasswordCost;
  readonly passwordLimit: PasswordLimit;
  readonly creationLimit: CreationLimit;
  readonly limits: Limits;
}

/** The context of a procedure. It has its own `em`, which cannot read links until the builder has set the account. */
export interface Call<Deps extends CallDeps = CallDeps> extends Context {
  readonly deps: Deps;
  readonly em: Em;
  /** Set if the client sent an Idempotency-Key; see `claim` and `saveResponse` */
  readonly once?: Once | undefined;
}

export type AccountCall<Deps extends CallDeps = CallDeps> = Call<Deps> & { account: Account };

/** An entity manager that sees only the rows of this account. */
export function emFor({ orm }: Pick<CallDeps, "orm">, accountId: string): Em {
  const em = orm.em.fork();
  em.setFilterParams("account", { id: accountId });
  return em;
}

/** The context of the account's own calls, for work that the service does in its name, or in that of a member. */
export function systemCallFor<Deps extends CallDeps>(
  deps: Deps,
  account: Account,
  acting: Acting = {},
): AccountCall<Deps> {
  const actor = { kind: "account", account, ...acting, credential: "internal" } as const;
  return { deps, em: emFor(deps, account.id), account, actor, reply: {} };
}

/**
 * The call, continued on a current replica that has the account's last changes through this process; the call itself
 * if there is none. For lists and reports only: nothing can be written there.
 */
export function reading<C extends AccountCall>(ctx: C): C {
  const { replicas, writes } = ctx.deps;
  const replica = replicas?.fresh(writes.of(ctx.account.id)) ?? null;
  if (replica === null) return ctx;
  const { pool } = replica;
  const em = emFor({ orm: ctx.deps.ormOf(pool) }, ctx.account.id);
  return { ...ctx, em, deps: { ...ctx.deps, pool } };
}
