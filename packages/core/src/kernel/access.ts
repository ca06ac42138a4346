import type { Actor } from "./context.ts";
import { AppError } from "./errors.ts";
import type { Scope } from "./scopes.ts";

const minutes = 10;

/**
 * Throws 403 if the caller has a session that began more than ten minutes ago: a browser left open, or a stolen cookie, must
 * not be enough for what outlives the session. Callers with an API key pass.
 * @param purpose what the caller wants to do, such as "create an API key"
 */
export function requireRecentSignIn(actor: Actor, now: Date, purpose: string): void {
  if (actor.kind !== "account" || actor.credential !== "session") return;
  const age = now.getTime() - (actor.authenticated_at?.getTime() ?? -Infinity);
  if (age <= minutes * 60_000) return;
  throw new AppError(
    "FORBIDDEN",
    `Sign in again to ${purpose}: your sign-in is older than ${minutes} minutes`,
    { maxAge: minutes * 60 },
  );
}

/** Throws 403 if the caller has an API key with none of these scopes. */
export function requireScope(actor: Actor, ...needed: readonly Scope[]): void {
  const key = actor.kind === "account" ? actor.key : undefined;
  const granted = key?.scopes ?? null;
  if (granted === null || needed.some((scope) => granted.includes(scope))) return;
  const [scope] = needed;
  if (scope === undefined) throw new AppError("FORBIDDEN", "This needs an API key without scopes");
  const what = key?.is_connection ? "connection" : "API key";
  throw new AppError("FORBIDDEN", `This ${what} needs the scope ${needed.join(" or ")}`, { scope });
}
