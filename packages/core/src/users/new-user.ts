import * as z from "zod";
import { oneOf } from "../validation/inputs.ts";
import { planNames } from "../kernel/plans.ts";
import { line } from "../validation/strings.ts";

/** Longest name of an account. */
const maxName = 100;

export const emailAddress = z
  .email("is not an e-mail address")
  .max(254, "must have at most 254 characters")
  .toLowerCase();

/** What an operator says of an account. */
export const newUser = z.object({ email: emailAddress, name: line(maxName), plan: oneOf(planNames) });

/** A name for an account: what was given as far as it can be shown on one line, else the part before the @. */
export function nameFrom(name: string | null, email: string): string {
  const shown = (name ?? "").replaceAll(/[\u0000-\u001F\u007F]+/g, " ").trim();
  return shown.slice(0, maxName).toWellFormed() || (email.split("@")[0] as string).slice(0, maxName);
}
