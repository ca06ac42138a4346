import * as z from "zod";
import { hashPassword, sharesOfAccount, sharesOfVisit, verifyPassword } from "../../kernel/password-hash.ts";
import { hidden } from "../../kernel/hidden.ts";
import { isUnlockToken, issueUnlockToken, unlockSeconds } from "../unlock-token.ts";
import { text } from "./columns.ts";
import { defineOption, passed } from "./rule.ts";

const unknown = `is not known: ${hidden} only says that there was one; choose a new one`;

/** Visitors are asked for a password, unless an unlock token shows that they gave it before. */
export const password = defineOption({
  name: "password",
  column: "password_hash",
  type: text,
  input: {
    name: "password",
    schema: z
      .string()
      .min(4, { error: ({ input }) => (input === hidden ? unknown : "must have at least 4 characters") })
      .max(200, "must have at most 200 characters")
      .describe(
        "Visitors must enter it before they are redirected; only its hash is stored. Needs the Pro plan",
      )
      .nullish(),
  },
  output: { name: "has_password", schema: z.boolean() },
  feature: "link_options",
  isHashed: true,
  toValue: (input, accountId, cost) => hashPassword(input, sharesOfAccount(accountId), cost),
  toOutput: (hash) => hash !== null,
  isUnchanged: () => false,
  urlsIn: () => [],
  needsDecision: (hash) => hash !== null,
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
  sentence: (_, verdict) =>
    verdict.kind === "passed"
      ? "Its password was given."
      : "It asks for its password first and reveals nothing until then.",
});
