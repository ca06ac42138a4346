import { refused } from "../../kernel/validation/issues.ts";
import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { hidden } from "@terse/importers/text";
import { hashPassword, sharesOfAccount, sharesOfVisit, verifyPassword } from "../../kernel/secrets.ts";
import { defineOption, passed, text } from "./rule.ts";
import { step } from "./step.ts";

const unknown = `cannot be restored: ${hidden} only says that there was one; choose a new one`;

/** Visitors are asked for a password, unless an unlock token shows that they gave it before. */
export const password = defineOption({
  name: "password",
  column: "password_hash",
  type: text,
  field: "password",
  input: z
    .string()
    .refine((typed) => typed !== hidden, { ...refused("masked", unknown), abort: true })
    .min(4, "must have at least 4 characters")
    .max(200, "must have at most 200 characters")
    .describe(
      "Visitors must enter it before they are redirected; only its hash is stored. Needs the Pro plan",
    )
    .nullish(),
  outputField: "has_password",
  output: z.boolean(),
  isHashed: true,
  toValue: (input, accountId, cost) => hashPassword(input, sharesOfAccount(accountId), cost),
  toOutput: (hash) => hash !== null,
  async decide(hash, { link_id, now, visitor }) {
    const { password: typed, unlock_token = "", client } = visitor;
    if (typed === undefined) {
      if (isUnlockToken(unlock_token, hash, link_id, now)) return passed;
      return { kind: "password", link_id, wrong: false };
    }
    if (!(await verifyPassword(typed, hash, sharesOfVisit(link_id, client)))) {
      return { kind: "password", link_id, wrong: true };
    }
    const value = issueUnlockToken(hash, link_id, now);
    return { ...passed, unlock_token: { value, seconds: unlockSeconds } };
  },
  explain: (_, verdict) =>
    verdict.kind === "passed"
      ? step("password_given", "Its password was given.")
      : step("password", "It asks for its password first and reveals nothing until then."),
});

/** How long an unlock token is valid, in seconds. */
export const unlockSeconds = 15 * 60;

/**
 * A proof that a link's password was right: its end in seconds since the epoch, and an HMAC-SHA-256 of that and the link
 * under the stored password hash. The hash has a random salt, so it cannot be guessed; a new password has a new salt,
 * which invalidates all tokens of the old one. There is no other secret.
 */
export const issueUnlockToken = (passwordHash: string, linkId: string, now: number): string =>
  tokenUntil(passwordHash, linkId, Math.floor(now / 1000) + unlockSeconds);

/** True for an unexpired token for this link and its current password; `now` in milliseconds. */
export function isUnlockToken(token: string, passwordHash: string, linkId: string, now: number): boolean {
  const until = Number(/^(\d{1,12})\./.exec(token)?.[1] ?? 0);
  if (until * 1000 <= now) return false;
  const [given, right] = [Buffer.from(token), Buffer.from(tokenUntil(passwordHash, linkId, until))];
  return given.length === right.length && timingSafeEqual(given, right);
}

function tokenUntil(passwordHash: string, linkId: string, until: number): string {
  const signature = createHmac("sha256", passwordHash).update(`pass ${linkId} ${until}`).digest("base64url");
  return `${until}.${signature}`;
}
