import { type Account, toAccount } from "../kernel/context.ts";
import type { Em } from "../db/em.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../kernel/errors.ts";
import { parseOr400 } from "../validation/issues.ts";
import type { Identity } from "./logins.types.ts";
import { nameFrom, ownerEmail, UserEntity } from "../users/index.ts";
import { IdentityEntity } from "./identity.entity.ts";
import { type CheckedIdentity, identityInput } from "./identity.input.ts";

type Row = Account & { email_verified: boolean };

/**
 * Returns the account of a person whom a login provider has authenticated: the one with this identity, else the one with
 * this e-mail address if both sides have verified it, else a new one on the Free plan. Joining by an unverified address
 * would give accounts away: at some providers anybody can enter any address ("nOAuth").
 *
 * @throws {AppError} 400 if the identity is invalid, 403 without an address or with the owner's, 409 if the address is taken
 */
export async function signIn({ orm, clock, newId }: Deps, given: Identity): Promise<Account> {
  const identity = parseOr400(identityInput, given);
  const known = await find(orm.em.fork(), identity);
  if (known) return toAccount(known);

  return orm.em.fork().transactional(async (tx) => {
    // Concurrent first logins of one person queue here; each sees what the previous one did.
    const person = `${identity.issuer} ${identity.subject}`;
    await tx.execute("select pg_advisory_xact_lock(hashtextextended(?, 0))", [person]);
    const account = (await find(tx, identity)) ?? (await joinOrCreate(tx, identity));
    return toAccount(account);
  });

  async function joinOrCreate(
    tx: Em,
    { email, email_verified, name, ...who }: CheckedIdentity,
  ): Promise<Row> {
    if (email === null) {
      throw new AppError("FORBIDDEN", "The provider gave no e-mail address, and an account needs one");
    }
    if (email === ownerEmail) {
      throw new AppError("FORBIDDEN", `email: ${email} is reserved for the owner of this service`);
    }
    const now = clock();
    // A concurrent first login with the same address makes this one wait and then find its account.
    const [made] = await tx.execute<Row[]>(
      `insert into users (id, email, email_verified, name, plan, created_at) values (?, ?, ?, ?, 'free', ?)
       on conflict (email) do nothing returning id, email, email_verified, name, plan`,
      [newId(), email, email_verified, nameFrom(name, email), now],
    );
    const account: Row = made ?? (await tx.findOneOrFail(UserEntity, { email }));
    if (!made && !(email_verified && account.email_verified)) {
      throw new AppError(
        "CONFLICT",
        `email: ${email} belongs to an account already; sign in the way you did before`,
      );
    }
    await tx.insert(IdentityEntity, { id: newId(), account_id: account.id, ...who, created_at: now });
    return account;
  }
}

async function find(
  em: Em,
  { issuer, subject, email, email_verified }: CheckedIdentity,
): Promise<Row | null> {
  const identity = await em.findOne(IdentityEntity, { issuer, subject });
  if (!identity) return null;
  const account: Row = await em.findOneOrFail(UserEntity, { id: identity.account_id });
  if (email_verified && account.email === email && !account.email_verified) {
    await em.nativeUpdate(UserEntity, { id: account.id }, { email_verified: true });
  }
  return account;
}
