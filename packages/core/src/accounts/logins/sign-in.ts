import { inTransaction } from "../../db/connection.ts";
import type { Em } from "../../db/em.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import type { Database } from "../../db/statements.ts";
import { type PersonalAccount, type Source, toPersonalAccount } from "../../kernel/context.ts";
import { AppError, refusal } from "../../kernel/errors.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { type ActivityActor, type ActivityDeps, recordActivity, visitorActor } from "../activity/record.ts";
import type { AccountDeps } from "../call.ts";
import { type Found, type PersonRow, personWith, type Refused, suspended } from "../users/person.ts";
import { placeholderEmail } from "../users/user.schema.ts";
import { WorkspaceEntity } from "../workspaces/workspace.row.ts";
import { applyGroupRoles } from "./group-roles.ts";
import { IdentityEntity } from "./identity.row.ts";
import { type CheckedIdentity, type Identity, identityInput } from "./identity.schema.ts";

/** The outcome of a sign-in; someone who is not known gets a new identity. */
type Outcome = { kind: "known"; account: PersonRow } | Found | Refused;

/**
 * Returns the account of a person whom a login provider has authenticated: the one with this identity, else the one
 * with this e-mail address if both sides have verified it, else a new one, if the policy allows that. Joining by an
 * unverified address would give accounts away: some providers let people enter any address ("nOAuth"). An account
 * that never proved its address loses it to someone who has.
 *
 * @throws {AppError} 400 if the identity is invalid; 403 without an address, with the owner's, if the policy allows no
 * account, or if it is suspended; 409 if the address is taken
 */
export async function signIn(
  deps: ActivityDeps & Pick<AccountDeps, "orm" | "policy" | "refusals" | "plans" | "groupRoles">,
  given: Identity,
  source?: Source,
): Promise<PersonalAccount> {
  const identity = parseOr400(identityInput, given);
  const outcome = await outcomeOf(deps, identity).catch((error: unknown) => {
    if (error instanceof AppError) deps.refusals.report("sign-in", identity.provider, source);
    throw error;
  });
  const { kind, account } = outcome;
  const actor = visitorActor(account.id, source);
  if (kind === "refused") {
    await recordActivity(deps, actor, "sign_in_refused", outcome.reason);
    throw outcome.error;
  }
  const { provider, groups } = identity;
  if (groups) await applyGroupRoles(deps, { userId: account.id, email: account.email, provider }, groups);
  if (kind === "known") return toPersonalAccount(await claimEmail(deps, account, identity, actor));
  await recordTakeover(deps, outcome.previousOwner);
  await recordActivity(deps, actor, "identity_linked", identity.provider);
  return toPersonalAccount(account);
}

/**
 * Returns the account of a person who has proved that mails to an address reach them: the one with that verified address, else
 * a new one, if the policy allows that, which takes the address over from an account that never proved it.
 * @throws {AppError} 403 if the policy allows no account, or if it is suspended
 */
export async function signInByEmail(
  deps: ActivityDeps & Pick<AccountDeps, "policy" | "refusals">,
  email: string,
  source: Source,
): Promise<PersonalAccount> {
  const claim = { email, email_verified: true, name: null, by: "e-mail" };
  const outcome = await inTransaction(deps.pool, (database) => personWith(deps, database, claim)).catch(
    (error: unknown) => {
      if (error instanceof AppError) deps.refusals.report("sign-in", "e-mail", source);
      throw error;
    },
  );
  if (outcome.kind === "refused") {
    await recordActivity(deps, visitorActor(outcome.account.id, source), "sign_in_refused", outcome.reason);
    throw outcome.error;
  }
  await recordTakeover(deps, outcome.previousOwner);
  return toPersonalAccount(outcome.account);
}

const recordTakeover = async (deps: ActivityDeps, previousOwner: string | null): Promise<void> => {
  if (previousOwner === null) return;
  const visitor = visitorActor(previousOwner);
  await recordActivity(deps, visitor, "email_changed", "someone else has verified the address");
};

async function outcomeOf(
  deps: Pick<AccountDeps, "orm" | "pool" | "clock" | "newId" | "policy">,
  identity: CheckedIdentity,
): Promise<Outcome> {
  const { orm, clock, newId } = deps;
  const known = await find(orm.em.fork(), identity);
  if (known) return known;

  return inTransaction({ deps, em: orm.em }, async (database, em) => {
    // Concurrent first sign-ins of one person queue here; each sees the previous one's result.
    const person = `${identity.issuer} ${identity.subject}`;
    await database.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [person]);
    return (await find(em, identity)) ?? joinOrCreate(database, em, identity);
  });

  async function joinOrCreate(
    database: Database,
    tx: Em,
    { email, email_verified, name, provider, issuer, subject }: CheckedIdentity,
  ): Promise<Outcome> {
    if (email === null) {
      throw refusal(
        "FORBIDDEN",
        "email",
        "required",
        "the provider shared no verified address (claim email), which an account needs: allow this service to read it",
        { expected: "a verified address" },
      );
    }
    const who = { provider, issuer, subject };
    const outcome = await personWith(deps, database, { email, email_verified, name, by: provider });
    if (outcome.kind === "found")
      await tx.insert(IdentityEntity, {
        id: newId(),
        account_id: outcome.account.id,
        ...who,
        created_at: clock(),
      });
    return outcome;
  }
}

async function find(
  em: Em,
  { issuer, subject, email, email_verified }: CheckedIdentity,
): Promise<Outcome | null> {
  const identity = await em.findOne(IdentityEntity, { issuer, subject }, { filters: { account: false } });
  if (!identity) return null;
  const account = (await em.findOneOrFail(WorkspaceEntity, { id: identity.account_id })) as PersonRow;
  if (account.suspended_at) return suspended(account);
  if (email_verified && account.email === email && !account.email_verified) {
    await em.nativeUpdate(WorkspaceEntity, { id: account.id }, { email_verified: true });
  }
  return { kind: "known", account };
}

/** Gives an account that lost its address the one that its provider reports now, unless that is another account's. */
async function claimEmail(
  deps: ActivityDeps,
  account: PersonRow,
  { email, email_verified }: CheckedIdentity,
  actor: ActivityActor,
): Promise<PersonRow> {
  const placeholder = placeholderEmail(account.id);
  if (account.email !== placeholder || email === null) return account;
  try {
    const { rowCount } = await deps.pool.query(
      `update workspaces set email = $1, email_verified = $2
       where id = $3 and email = $4 and not exists (select from workspaces where email = $1)`,
      [email, email_verified, account.id, placeholder],
    );
    if (rowCount === 0) return account;
  } catch (error) {
    if (isUniqueViolation(error)) return account;
    throw error;
  }
  await recordActivity(deps, actor, "email_changed", "the provider reported another address");
  return { ...account, email };
}
