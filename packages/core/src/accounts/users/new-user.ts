import * as z from "zod";
import { oneOf } from "../../kernel/validation/inputs.ts";
import { planNames } from "../../kernel/plan-names.ts";
import { line } from "../../kernel/validation/strings.ts";

/** Maximum length of an account's name. */
const maxName = 100;

export const emailAddress = z
  .email("is not an e-mail address")
  .max(254, "must have at most 254 characters")
  .toLowerCase();

/** The address of an account that lost the one it had never proven; no mail can reach it (RFC 2606). */
export const placeholderEmail = (accountId: string): string => `${accountId}@unproven.invalid`;

/**
 * The address of the account that a service's first start creates. It receives no mail, so nobody can prove that it is theirs:
 * sign-in providers that claim it are refused.
 */
export const ownerEmail = "owner@terse.local";

/** The fields of a new account. */
export const newUser = z.object({ email: emailAddress, name: line(maxName), plan: oneOf(planNames) });

/** The name of an account: the given one, as one line of plain text, or else the part of the address before the @. */
export function nameFrom(name: string | null, email: string): string {
  const shown = (name ?? "").replaceAll(/[\u0000-\u001F\u007F]+/g, " ").trim();
  return shown.slice(0, maxName).toWellFormed() || (email.split("@")[0] as string).slice(0, maxName);
}
