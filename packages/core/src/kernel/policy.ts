import { AppError } from "./errors.ts";
import type { Plan } from "./plan-names.ts";

/** What an operator allows people whom nobody invited. */
export interface PolicyOptions {
  /** Whether links can be created without an account; default true */
  anonymousLinks?: boolean;
  /** Whether slugs can be chosen without an account; default true */
  anonymousSlugs?: boolean;
  /**
   * Who gets an account at a first sign-in: everybody ("open", the default), nobody ("closed"), or these e-mail addresses
   * and domains
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
  signUp: typeof signUp === "string" ? signUp : signUp.map((entry) => entry.toLowerCase()),
  defaultPlan,
});

/**
 * Refuses (403) a new account that the policy does not allow. With a list, the provider must have verified the address:
 * at some providers anybody can enter any address.
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
    throw new AppError(
      "FORBIDDEN",
      `There is no account with the address ${email}, and this service does not create one for it; ask its operator for an account`,
    );
  }
  if (!email_verified) {
    throw new AppError(
      "FORBIDDEN",
      `The provider has not verified the address ${email}, so this service does not create an account for it; sign in another way`,
    );
  }
}
