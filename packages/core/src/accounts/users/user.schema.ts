import type { PersonalAccount } from "../../kernel/context.ts";
import type { Plan } from "../../kernel/names.ts";
import * as z from "zod";
import { planNames } from "../../kernel/names.ts";
import { features } from "../../kernel/plans.ts";
import { oneOf } from "../../kernel/validation/inputs.ts";
import { emailAddress, line, named, timestamp } from "../../kernel/validation/strings.ts";
import { currentWorkspaceSchema } from "../workspaces/workspace.schema.ts";

/** Maximum length of an account's name. */
const maxName = 100;

/** The address of an account that lost the one it had never proven; no mail can reach it (RFC 2606). */
export const placeholderEmail = (accountId: string): string => `${accountId}@unproven.invalid`;

/** The fields of a new account. */
export const newUser = z.object({ email: emailAddress, name: line(maxName), plan: oneOf(planNames) });

/** The name of an account: the given one, as one line of plain text, or else the part of the address before the @. */
export function nameFrom(name: string | null, email: string): string {
  const shown = (name ?? "").replaceAll(/[\u0000-\u001F\u007F]+/g, " ").trim();
  return shown.slice(0, maxName).toWellFormed() || (email.split("@")[0] as string).slice(0, maxName);
}

const userFields = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  plan: z.enum(planNames),
  workspace: currentWorkspaceSchema,
  operator: z.literal(true).optional().describe("Only present in an operator's session"),
});

/** The profile of an account. */
export interface User extends z.infer<typeof userFields> {}
export const userSchema = named<User>("User", userFields);

const consentFields = z.object({
  marketing: z.boolean().describe("Whether the account wants news by e-mail"),
});

/** What the user agreed to. */
export interface Consents extends z.infer<typeof consentFields> {}
export const consentsSchema = named<Consents>("Consents", consentFields);

const profileFields = z.object({
  id: z.string(),
  email: z.string(),
  email_verified: z.boolean().describe("Whether a sign-in provider or the operator has verified the address"),
  name: z.string(),
  plan: z.enum(planNames),
  consents: consentsSchema,
  created_at: timestamp,
});

/** The profile of an account in full. `User` has fewer fields, and keeps them. */
export interface Profile extends z.infer<typeof profileFields> {}
export const profileSchema = named<Profile>("Profile", profileFields);

const count = z.int().min(0);

const planRow = z.object({
  name: z.enum(planNames).describe("The plan's value in `plan`"),
  title: z.string().describe("The plan's display name"),
  features: z.array(z.enum(features)).describe("What the plan includes"),
  limits: z
    .object({
      link_creations_per_minute: count.describe("Links that an account can create per minute"),
      links: count.nullable().describe("Links that an account can have; null for no limit"),
      stored_megabytes: z
        .number()
        .min(0)
        .describe("Megabytes (10^6 bytes) for links and buckets, including what is kept of deleted ones"),
      custom_domains: count.describe("Custom domains that an account can have"),
      members: count.nullable().describe("Members of a workspace, with open invitations; null for no limit"),
      api_keys: count.describe("API keys that an account can have"),
      links_per_bucket: count.describe("Links that a bucket can have"),
    })
    .describe("The plan's limits"),
});

const planFields = z.object({
  plan: z.enum(planNames).describe("The account's plan, one of `plans`"),
  used: z
    .object({
      links: count.describe("Links in the account"),
      stored_bytes: count.describe("Bytes used by links and buckets, including what is kept of deleted ones"),
    })
    .nullable()
    .describe("The account's usage; null while it is being measured (about a second per million links)"),
  plans: z.array(planRow).describe("All plans of the service, from the smallest to the largest"),
});

/** An account's plan with its limits, usage, and the other plans. */
export interface PlanOverview extends z.infer<typeof planFields> {}
export const planSchema = named<PlanOverview>("PlanOverview", planFields);

/** An account in a list for operators. */
export interface ListedAccount extends PersonalAccount {
  /** Whether a sign-in provider or an operator confirmed the address; see `Addressing` */
  email_verified: boolean;
  created_at: string;
}

/** What operators see of an account. */
export interface AccountDetails extends ListedAccount {
  suspended_at: string | null;
  suspended_reason: string | null;
  /** When the account is erased, because its owner deleted it; null if it stays */
  deletes_at: string | null;
  /** Links without buckets and their parts */
  links: number;
  disabled_links: number;
  buckets: number;
  keys: number;
  sessions: number;
  identities: number;
  open_reports: number;
  /** Custom domains, with any status */
  domains: string[];
}

/** How an operator's `email` selects an account. */
export interface Addressing {
  /** Whether an account may be selected by an unproven address, which may be someone else's. Default false: 409. */
  unverified?: boolean;
}

/** Account operations for operators and other services; clients cannot call them. Errors are AppErrors. */
export interface Accounts {
  /** `name` defaults to the part of the address before the @, `plan` to the default plan. 400 and 409. */
  create(user: { email: string; name?: string; plan?: string }): Promise<PersonalAccount>;
  /** 404 if no account has that address, 409 if it is not proven. Takes effect with the next request. */
  setPlan(email: string, plan: string, addressing?: Addressing): Promise<PersonalAccount>;
  /** 404 if no account has that address, 409 if it is not proven. */
  byEmail(email: string, addressing?: Addressing): Promise<PersonalAccount>;
  /** 404 if there is no account with that id, as for the operations below. */
  details(id: string): Promise<AccountDetails>;
  /** Refuses its sign-ins, keys and sessions with 403; its links answer 410. Repeating it changes the reason. */
  suspend(id: string, reason: string): Promise<AccountDetails>;
  /** Makes the account an operator, or ends that. 404 and 409 as for `setPlan`. */
  setOperator(email: string, isOperator: boolean, addressing?: Addressing): Promise<PersonalAccount>;
  /** Everything works as before. */
  resume(id: string): Promise<AccountDetails>;
  /**
   * Erases the account and everything in it at once, without a grace period; its slugs are free. 404 if there is
   * none.
   */
  delete(id: string): Promise<void>;
  /** Oldest first. */
  list(): Promise<ListedAccount[]>;
  /** Creates the first account, which is an operator's; null if there is an account already. Safe on several nodes at once. */
  createFirst(user: { email: string; name: string; plan: Plan }): Promise<PersonalAccount | null>;
}
