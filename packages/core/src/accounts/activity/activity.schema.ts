import * as z from "zod";
import type { Scope } from "../../kernel/names.ts";
import { named, timestamp } from "../../kernel/validation/strings.ts";

interface ActionDefinition {
  /** What happened, and what `about` names, for docs/API.md */
  meaning: string;
  /** Others can repeat it without limit: repetitions within an hour are one entry with a `count`. */
  repeats?: true;
}

/**
 * Everything that is recorded of an account. Names never change, because they are stored and logged. Each change for which an API
 * key needs one of `recordedScopes` has an action; links and tags have a history instead.
 */
export const actions = {
  signed_in: { meaning: "A sign-in; `about` is the provider, or `sign-in link`" },
  sign_in_refused: { meaning: "A sign-in to this account was refused; `about` is the reason", repeats: true },
  session_ended: {
    meaning: "A session was ended: by itself when signing out, or by another one; then `about` is its id",
  },
  sessions_ended: { meaning: "All sessions were ended; `about` says what else was ended" },
  key_created: { meaning: "An API key was created; `about` is its name and prefix" },
  key_first_used: { meaning: "An API key was used for the first time; `about` is its name and prefix" },
  key_revoked: { meaning: "An API key was revoked; `about` is its name and prefix" },
  key_replaced: { meaning: "An API key was replaced by a new one; `about` is its name and prefix" },
  connection_made: {
    meaning: "A program was allowed to act for the account; `about` is its name and where it is",
  },
  connection_ended: { meaning: "The connection of a program was ended; `about` is its name and where it is" },
  connection_misused: {
    meaning:
      "A refresh token or code was used twice, so its connection was ended: somebody else may have it; `about` is the program's name and where it is",
  },
  identity_linked: { meaning: "Another provider can be used to sign in; `about` is the provider" },
  identity_unlinked: { meaning: "A provider can no longer be used to sign in; `about` is the provider" },
  email_changed: { meaning: "The e-mail address changed; `about` is the reason" },
  plan_changed: { meaning: "The plan changed; `about` is the old and the new plan" },
  suspended: { meaning: "The operator suspended the account" },
  resumed: { meaning: "The operator ended the suspension" },
  link_enabled: { meaning: "The operator enabled a link again; `about` is its id" },
  link_deleted: { meaning: "The operator deleted a link; `about` is its id" },
  link_disabled: { meaning: "The operator disabled a link; `about` is its id" },
  operator_granted: { meaning: "The account may use the operator's screens" },
  operator_revoked: { meaning: "The account may no longer use the operator's screens" },
  webhook_created: { meaning: "A webhook was created; `about` is the host it sends to" },
  webhook_changed: {
    meaning: "A webhook was changed; `about` is the host it sends to, if that changed also the one before",
  },
  webhook_deleted: { meaning: "A webhook was deleted; `about` is the host it sent to" },
  webhook_secret_replaced: { meaning: "A webhook got a new secret; `about` is the host it sends to" },
  webhook_replayed: { meaning: "Events were sent to a webhook again; `about` is its host" },
  webhook_tested: { meaning: "A test event was sent to a webhook; `about` is its host" },
  webhook_switched_off: {
    meaning: "The service switched a webhook off; `about` is the host it sent to, and why",
  },
  alert_created: { meaning: "An alert was created; `about` is its name" },
  alert_changed: { meaning: "An alert was changed; `about` is its name" },
  alert_deleted: { meaning: "An alert was deleted; `about` is its name" },
  report_shared: {
    meaning: "A report was shared under a secret address, or is shared again; `about` is its name",
  },
  report_changed: { meaning: "A shared report got another name, password or end; `about` is its name" },
  report_revoked: { meaning: "A shared report was revoked or deleted; `about` is its name" },
  domain_added: { meaning: "A custom domain was added; `about` is its name" },
  domain_verified: { meaning: "A custom domain was verified; `about` is its name" },
  domain_failed: {
    meaning:
      "A custom domain could not be verified or is no longer served: its records are wrong, or another account has verified it; `about` is its name",
  },
  domain_changed: { meaning: "A custom domain was set up; `about` is its name and what was set" },
  domain_deleted: { meaning: "A custom domain was deleted; `about` is its name" },
  consents_changed: { meaning: "A consent was given or withdrawn; `about` is which" },
  exported: { meaning: "All data of the account was exported", repeats: true },
  deletion_requested: {
    meaning: "The account was deleted; a sign-in within seven days keeps it",
  },
  deletion_revoked: { meaning: "A sign-in kept an account that was being deleted" },
} as const satisfies Record<string, ActionDefinition>;

/** Scopes of changes that are recorded: what gives access, sends data away, or serves under another name. */
export const recordedScopes: readonly Scope[] = ["account", "keys", "domains", "webhooks"];

export type Action = keyof typeof actions;
const actionNames = Object.keys(actions) as [Action, ...Action[]];

const actorKinds = ["session", "key", "visitor", "operator", "service"] as const;
export type ActorKind = (typeof actorKinds)[number];

/** True for actions that others can repeat without limit. */
export const repeats = (action: Action): boolean => "repeats" in actions[action];

const fields = z.object({
  id: z.string(),
  at: timestamp.describe("When it happened first, if it did several times within an hour"),
  action: z.enum(actionNames).describe("What happened; docs/API.md explains each"),
  count: z.int().min(1).describe("How often it happened within an hour from `at`"),
  by: z
    .object({
      kind: z.enum(actorKinds),
      id: z.string().nullable().describe("Id of the session or API key"),
    })
    .describe("Who did it"),
  about: z
    .string()
    .nullable()
    .describe("The key, program, host, name or plans concerned; docs/API.md says which"),
  network: z
    .string()
    .nullable()
    .describe("Where it came from, shortened to the /24 of an IPv4 address or the /48 of an IPv6 address"),
  client: z.string().nullable().describe("Browser and system, or the program's name"),
});

/** An entry of an account's activity. */
export interface ActivityEntry extends z.infer<typeof fields> {}
export const activitySchema = named<ActivityEntry>("ActivityEntry", fields);
