import type { Actor, KeyGrant } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";

/** What a key can do and for how long; null means no limit. */
export type Grant = Pick<KeyGrant, "scopes" | "expires_at">;

/** What the caller's own key can do. A key that it makes gets the same unless something smaller is chosen. */
export const grantOf = (actor: Actor): Grant =>
  (actor.kind === "account" && actor.key) || { scopes: null, expires_at: null };

/** The connection that a key ends with if this caller makes it; null for none. */
export function connectionOf(actor: Actor): string | null {
  const key = actor.kind === "account" ? actor.key : undefined;
  return (key?.is_connection ? key.id : key?.connection_id) ?? null;
}

/**
 * Refuses a key that could do more, or live longer, than the key that makes it: otherwise a limited key could free itself of
 * its limits. Callers without a key may make any.
 * @throws {AppError} 403
 */
export function refuseStronger(actor: Actor, made: Grant): void {
  const own = grantOf(actor);
  if (own.scopes && !made.scopes?.every((scope) => own.scopes?.includes(scope))) {
    throw new AppError(
      "FORBIDDEN",
      `scopes: the API key of this request has only ${own.scopes.join(", ")}, and cannot give more`,
    );
  }
  if (own.expires_at && (!made.expires_at || made.expires_at > own.expires_at)) {
    const end = own.expires_at.toISOString();
    throw new AppError(
      "FORBIDDEN",
      `expires_at: must not be after ${end}, when the API key of this request expires`,
    );
  }
}
