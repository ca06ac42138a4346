import { issue } from "./issues.ts";
import type { Actor } from "./context.ts";
import { refusal, AppError } from "./errors.ts";
import { emailToAscii } from "./host-names.ts";
import type { Plan, Scope } from "./names.ts";
import { leastRoleWith, mayDo, type Permission } from "./roles.ts";

const minutes = 10;

/**
 * Throws 403 if the caller has a session that began more than ten minutes ago: a browser left open, or a stolen cookie, must not be enough to create things that outlive the session. Callers with an API key pass.
 * @param purpose what the caller wants to do, such as "create an API key"
 */
export function requireRecentSignIn(actor: Actor, now: Date, purpose: string): void {
  if (actor.kind !== "account" || actor.credential !== "session") return;
  const age = now.getTime() - (actor.authenticated_at?.getTime() ?? -Infinity);
  if (age <= minutes * 60_000) return;
  const message = `Sign in again to ${purpose}: your sign-in is older than ${minutes} minutes`;
  const maxAge = minutes * 60;
  throw new AppError("FORBIDDEN", issue("", "sign_in_again", message, { max_age: maxAge }), { maxAge });
}

/** Throws 403 if the caller has an API key with none of these scopes. */
export function requireScope(actor: Actor, ...needed: readonly Scope[]): void {
  const key = actor.kind === "account" ? actor.key : undefined;
  const granted = key?.scopes ?? null;
  if (granted === null || needed.some((scope) => granted.includes(scope))) return;
  const [scope] = needed;
  if (scope === undefined)
    throw refusal("FORBIDDEN", "", "credential_refused", "This needs an API key without scopes", {
      credential: "scoped_key",
    });
  const what = key?.is_connection ? "connection" : "API key";
  const message = `This ${what} needs the scope ${needed.join(" or ")}`;
  throw new AppError("FORBIDDEN", issue("", "scope_required", message, { scopes: needed }), { scope });
}

/** Throws 403 if the caller's role in the workspace includes none of these permissions. */
export function requirePermission(actor: Actor, ...needed: readonly Permission[]): void {
  if (actor.kind !== "account" || needed.length === 0 || mayDo(actor.role, ...needed)) return;
  const least = leastRoleWith(...needed);
  const message = `Your role in this workspace is ${actor.role}: this needs the role ${least}`;
  const params = { role: actor.role ?? "", needs: least };
  throw new AppError("FORBIDDEN", issue("", "role_required", message, params));
}

/** The operator's policy for strangers. */
export interface PolicyOptions {
  /** Whether links can be created without an account; default true */
  anonymousLinks?: boolean;
  /** Whether slugs can be chosen without an account; default true */
  anonymousSlugs?: boolean;
  /**
   * Who gets an account at a first sign-in: everyone ("open", the default), no one ("closed"), or these e-mail
   * addresses and domains
   */
  signUp?: "open" | "closed" | readonly string[];
  /** Plan of new accounts; default "free" */
  defaultPlan?: Plan;
}

export type Policy = Required<PolicyOptions>;

export const createPolicy = ({
  anonymousLinks = true,
  anonymousSlugs = true,
  signUp = "open",
  defaultPlan = "free",
}: PolicyOptions): Policy => ({
  anonymousLinks,
  anonymousSlugs,
  signUp: typeof signUp === "string" ? signUp : signUp.map(emailToAscii),
  defaultPlan,
});

/**
 * Refuses (403) a new account that the policy does not allow. With a list, the provider must have verified the address:
 * some providers let people enter any address.
 */
export function requireSignUp(
  { signUp }: Policy,
  { email, email_verified }: { email: string; email_verified: boolean },
): void {
  if (signUp === "open") return;
  const isListed =
    signUp !== "closed" &&
    (signUp.includes(email) || signUp.includes(email.slice(email.lastIndexOf("@") + 1)));
  if (!isListed) {
    throw refusal(
      "FORBIDDEN",
      "",
      "forbidden",
      `There is no account with the address ${email}, and this service does not create one for it; ask its operator for an account`,
      { reason: "no_sign_up", email },
    );
  }
  if (!email_verified) {
    throw refusal(
      "FORBIDDEN",
      "",
      "forbidden",
      `The provider has not verified the address ${email}, so this service does not create an account for it; sign in another way`,
      { reason: "unverified_email", email },
    );
  }
}
