import type { Database } from "../../db/statements.ts";
import { requireSignUp } from "../../kernel/access.ts";
import type { PersonalAccount } from "../../kernel/context.ts";
import { type AppError, refusal } from "../../kernel/errors.ts";
import { ownerEmail } from "../../kernel/names.ts";
import type { AccountDeps } from "../call.ts";
import { accountSuspended } from "../workspaces/workspace.row.ts";
import { nameFrom, placeholderEmail } from "./user.schema.ts";

export type PersonRow = PersonalAccount & { email_verified: boolean; suspended_at?: unknown };

/** A person, whose address may have been taken from `previousOwner`, who had never proved it. */
export interface Found {
  kind: "found";
  account: PersonRow;
  isNew: boolean;
  previousOwner: string | null;
}

/** Why someone may not be this person, for them and for the activity. */
export interface Refused {
  kind: "refused";
  account: PersonRow;
  error: AppError;
  reason: string;
}

interface Claim {
  email: string;
  email_verified: boolean;
  name: string | null;
  /** Who says so, such as a provider */
  by: string;
}

/**
 * The person who has an address, or a new one: for sign-ins and directories alike. Who never proved the address loses it to
 * someone who has, as a stranger could have entered it before; but not if suspended, or the suspension could be evaded.
 * @throws {AppError} 403 for the owner's address, or if the policy allows no new person
 */
export async function personWith(
  { clock, newId, policy }: Pick<AccountDeps, "clock" | "newId" | "policy">,
  database: Database,
  { email, email_verified, name, by }: Claim,
): Promise<Found | Refused> {
  if (email === ownerEmail) {
    const message = `${email} is reserved for the owner of this service`;
    throw refusal("FORBIDDEN", "email", "forbidden", message, { reason: "reserved", email });
  }
  for (let previousOwner: string | null = null; ; ) {
    const { rows } = await database.query<PersonRow>(
      "select id, email, email_verified, name, plan, suspended_at from workspaces where email = $1 for no key update",
      [email],
    );
    const [owner] = rows;
    if (owner && !email_verified) return notVerified(owner, by);
    if (owner?.suspended_at) return suspended(owner);
    if (owner?.email_verified) return { kind: "found", account: owner, isNew: false, previousOwner };
    requireSignUp(policy, { email, email_verified });
    if (owner) {
      await database.query("update workspaces set email = $2 where id = $1", [
        owner.id,
        placeholderEmail(owner.id),
      ]);
      previousOwner = owner.id;
    }
    const { rows: made } = await database.query<PersonRow>(
      `insert into workspaces (id, email, email_verified, name, plan, created_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (email) do nothing returning id, email, email_verified, name, plan`,
      [newId(), email, email_verified, nameFrom(name, email), policy.defaultPlan, clock()],
    );
    if (made[0]) return { kind: "found", account: made[0], isNew: true, previousOwner };
    // A concurrent first sign-in has taken the address; now it is found.
  }
}

export const suspended = (account: PersonRow): Refused => ({
  kind: "refused",
  account,
  error: accountSuspended(),
  reason: "the account is suspended",
});

const notVerified = (account: PersonRow, by: string): Refused => ({
  kind: "refused",
  account,
  error: refusal(
    "CONFLICT",
    "email",
    "conflict",
    `${account.email} belongs to an account already; sign in the way you did before`,
    { reason: "email_taken", email: account.email },
  ),
  reason: `${by} has not verified the address`,
});
