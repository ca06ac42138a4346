import type { Database } from "../../db/statements.ts";
import { ownerEmail } from "../../kernel/names.ts";
import { refusal } from "../../kernel/errors.ts";
import type { AccountDeps } from "../call.ts";
import { placeholderEmail } from "../users/user.schema.ts";

/**
 * The person with an address that a directory vouches for, or a new one. As at a sign-in, someone who never proved the address
 * loses it: a stranger could have entered it before.
 */
export async function personWith(
  { newId, clock, policy }: Pick<AccountDeps, "newId" | "clock" | "policy">,
  database: Database,
  email: string,
  name: string,
): Promise<{ id: string; isNew: boolean; previousOwner: string | null }> {
  if (email === ownerEmail) {
    const message = `${email} is reserved for the owner of this service`;
    throw refusal("FORBIDDEN", "email", "forbidden", message, { reason: "reserved", email });
  }
  for (let previousOwner: string | null = null; ; ) {
    const { rows } = await database.query<{ id: string; email_verified: boolean }>(
      "select id, email_verified from workspaces where email = $1 for no key update",
      [email],
    );
    const [owner] = rows;
    if (owner?.email_verified) return { id: owner.id, isNew: false, previousOwner };
    if (owner) {
      await database.query("update workspaces set email = $2 where id = $1", [
        owner.id,
        placeholderEmail(owner.id),
      ]);
      previousOwner = owner.id;
    }
    const id = newId();
    const { rowCount } = await database.query(
      `insert into workspaces (id, email, email_verified, name, plan, created_at) values ($1, $2, true, $3, $4, $5)
       on conflict (email) do nothing`,
      [id, email, name, policy.defaultPlan, clock()],
    );
    if (rowCount === 1) return { id, isNew: true, previousOwner };
    // A concurrent first sign-in has taken the address; now it is found.
  }
}
