import * as z from "zod";
import type { Scope } from "../../kernel/names.ts";
import { named, timestamp } from "../../kernel/validation/strings.ts";

/**
 * Every action recorded in an account's activity, and what its `about` means, for /docs/activity. Names never change,
 * because they are stored and logged. Each change for which an API key needs one of `recordedScopes` has an action. Links have
 * a history instead, which the log of the workspace shows, too (`linkActions`).
 */
export const actions = {
  signed_in: "A sign-in; `about` is the provider, `passkey`, `sign-in link` or `e-mail`",
  sign_in_refused: "A sign-in to this account was refused; `about` is the reason",
  session_ended: "A session signed out, or another session ended it (`about` is then its id)",
  sessions_ended: "All sessions were ended; `about` says what ended with them",
  key_created: "An API key was created; `about` is its name and prefix",
  key_first_used: "An API key was used for the first time; `about` is its name and prefix",
  key_revoked: "An API key was revoked; `about` is its name and prefix",
  key_replaced: "An API key was replaced by a new one; `about` is its name and prefix",
  connection_made: "A program was allowed to act for the account; `about` is its name and host",
  connection_ended: "A program's connection was ended; `about` is its name and host",
  connection_misused:
    "A refresh token or code was used twice and may be stolen, so its connection was ended; `about` is the program's name and host",
  identity_linked: "A sign-in provider was added; `about` is the provider",
  identity_unlinked: "A sign-in provider was removed; `about` is the provider",
  passkey_added: "A passkey was added; `about` is its name",
  passkey_renamed: "A passkey was renamed; `about` is its new name",
  passkey_removed: "A passkey was removed; `about` is its name",
  email_changed: "The e-mail address changed; `about` is the reason",
  plan_changed: "The plan changed; `about` is the old and the new plan",
  suspended: "The operator suspended the account",
  resumed: "The operator lifted the suspension",
  link_enabled: "The operator enabled a disabled link; `about` is its id",
  link_deleted: "The operator deleted a link; `about` is its id",
  link_disabled: "The operator disabled a link; `about` is its id",
  directory_token_created:
    "The operator created a token for the company's directory (SCIM); `about` is its name",
  directory_token_revoked: "The operator revoked a token of the company's directory; `about` is its name",
  directory_user_added: "The company's directory added a person; `about` is the address",
  directory_user_activated: "The company's directory activated a person; `about` is the address",
  directory_user_deactivated: "The company's directory deactivated a person; `about` is the address",
  directory_user_removed: "The company's directory removed a person; `about` is the address",
  directory_group_added: "The company's directory added a group; `about` is its name",
  directory_group_changed: "The company's directory changed a group or its members; `about` is its name",
  directory_group_removed: "The company's directory removed a group; `about` is its name",
  group_refused:
    "A group of a sign-in provider could not give its role; `about` is the person and the reason",
  operator_granted: "The account became an operator",
  operator_revoked: "The account is no longer an operator",
  webhook_created: "A webhook was created; `about` is its host",
  webhook_changed: "A webhook was changed; `about` is its host, and the previous one if that changed",
  webhook_deleted: "A webhook was deleted; `about` is its host",
  webhook_secret_replaced: "A webhook got a new secret; `about` is its host",
  webhook_replayed: "Events were sent to a webhook again; `about` is its host",
  webhook_tested: "A test event was sent to a webhook; `about` is its host",
  webhook_switched_off: "The service switched a webhook off; `about` is its host and the reason",
  alert_created: "An alert was created; `about` is its name",
  alert_changed: "An alert was changed; `about` is its name",
  alert_deleted: "An alert was deleted; `about` is its name",
  report_shared: "A report was shared, or shared again; `about` is its name",
  report_changed: "A shared report's name, password or expiry changed; `about` is its name",
  report_revoked: "A shared report was revoked or deleted; `about` is its name",
  domain_added: "A custom domain was added; `about` is its name",
  domain_verified: "A custom domain was verified; `about` is its name",
  domain_failed:
    "A custom domain failed verification or is no longer served: its records are wrong, or another account has verified it; `about` is its name",
  domain_changed: "A custom domain's settings changed; `about` is its name and the changes",
  domain_deleted: "A custom domain was deleted; `about` is its name",
  domain_shared: "Another workspace shared a custom domain with this one; `about` is its name",
  domain_withdrawn: "Another workspace stopped sharing a custom domain with this one; `about` is its name",
  bucket_created: "A page was created; `about` is its name",
  bucket_changed: "A page was changed; `about` is its name",
  bucket_deleted: "A page was deleted; `about` is its name",
  tag_renamed: "A tag was renamed, or merged with another one; `about` is its new name",
  tag_deleted: "A tag was deleted; `about` is its name",
  consents_changed: "A consent was given or withdrawn; `about` says which",
  preferences_changed: "The person chose what they get by mail; `about` is how often reports come",
  workspace_created: "The workspace was created; `about` is its name",
  workspace_changed: "The workspace's name, slug or mail domains changed; `about` is its name",
  member_added: "A person became a member; `about` is their address and role, or the mail domain",
  member_changed: "A member's role changed; `about` is their address and both roles",
  member_removed: "A member left or was removed; `about` is their address",
  invitation_created: "Someone was invited; `about` is the address and role",
  invitation_withdrawn: "An invitation was withdrawn; `about` is the address",
  ownership_offered: "The owner offered the workspace to a member; `about` is their id",
  ownership_declined:
    "The offered ownership was declined, or the offer withdrawn; `about` is the id of who did it",
  ownership_transferred: "A member became the owner; `about` is their id",
  exported: "The account's data was exported",
  deletion_requested: "The account was deleted; signing in within seven days restores it",
  deletion_revoked: "A sign-in restored an account that was being deleted",
};

/** Scopes of changes that are recorded: what gives access, sends data away, or serves under another name, and pages. */
export const recordedScopes: readonly Scope[] = [
  "account",
  "keys",
  "domains",
  "webhooks",
  "buckets",
  "members",
];

/** Actions that only the log of the workspace has, because they are in the history of links. */
export const linkActions = {
  link_created: "A link was created",
  link_changed: "A link was changed, or `count` links at once",
  link_deleted: "A link was deleted, or `count` links at once",
  link_restored: "A deleted link was brought back, or `count` links at once",
  link_moved: "A link moved from or to another workspace, or `count` links at once",
};

export type Action = keyof typeof actions;
const actionNames = Object.keys(actions) as [Action, ...Action[]];

const actorKinds = ["session", "key", "visitor", "operator", "service"] as const;
export type ActorKind = (typeof actorKinds)[number];

/** Outsiders can repeat these without limit, so repetitions within an hour are one entry with a `count`. */
export const repeatable: ReadonlySet<Action> = new Set(["sign_in_refused", "exported"]);

const fields = z.object({
  id: z.string(),
  at: timestamp.describe("When it happened; the first time, if several times within an hour"),
  action: z.enum(actionNames).describe("What happened; /docs/activity explains each"),
  count: z.int().min(1).describe("How often it happened within an hour of `at`"),
  by: z
    .object({
      kind: z.enum(actorKinds),
      id: z.string().nullable().describe("Id of the session or API key"),
    })
    .describe("Who did it"),
  about: z
    .string()
    .nullable()
    .describe("The key, program, host, name or plans concerned; /docs/activity says which"),
  network: z.string().nullable().describe("The client's address, shortened to a /24 (IPv4) or a /48 (IPv6)"),
  client: z.string().nullable().describe("Browser and system, or the program's name"),
});

/** An entry of an account's activity. */
export interface ActivityEntry extends z.infer<typeof fields> {}
export const activitySchema = named<ActivityEntry>("ActivityEntry", fields);

export type LoggedAction = Action | keyof typeof linkActions;
export const loggedActions = [...new Set([...actionNames, ...Object.keys(linkActions)])] as [
  LoggedAction,
  ...LoggedAction[],
];
export const loggedActorKinds = ["user", "key", "visitor", "operator", "service"] as const;

/** Old and new values by the name of their field. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>;

const loggedFields = z.object({
  id: z.string(),
  at: timestamp.describe("When it happened; the first time, if several times within an hour"),
  actor: z
    .object({
      kind: z
        .enum(loggedActorKinds)
        .describe("`visitor` was signing in; `operator` and `service` are those of this service"),
      id: z.string().nullable().describe("Id of the person or API key"),
      name: z.string().nullable().describe("Name of the person or API key at the time"),
      user_id: z.string().nullable().describe("Id of the person, also of the one who used a key, if known"),
      session_id: z.string().nullable().describe("Id of the person's session"),
    })
    .describe("Who did it"),
  action: z.enum(loggedActions).describe("What happened; /docs/activity explains each"),
  target: z
    .object({
      kind: z.string().meta({
        description: "Such as `link`, `key`, `domain`, `webhook`, `user` or `workspace`",
        examples: ["link"],
      }),
      id: z.string().nullable().describe("Null for several links, and if it was not recorded"),
      name: z.string().nullable().describe("Its name at the time; of a link, the slug"),
    })
    .describe("What it was done to"),
  address: z
    .string()
    .nullable()
    .describe(
      "The client's address, shortened to a /24 (IPv4) or a /48 (IPv6); links are created without it",
    ),
  details: z
    .object({
      about: z.string().nullable().describe("More about it in one line; /docs/activity says what"),
      client: z.string().nullable().describe("Browser and system, or the program's name"),
      count: z.int().describe("How often it happened within an hour of `at`, or how many links it changed"),
      fields: z
        .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
        .describe("The old and new value of each changed field, long ones shortened; secrets are `***`"),
    })
    .describe("More about it, and what was changed"),
  previous_hash: z
    .string()
    .nullable()
    .describe(
      "SHA-256 of the recorded entry before this one in the workspace; null for changes of links, which are in their history",
    ),
});

/** An entry of the activity log of a workspace. */
export interface LoggedActivity extends z.infer<typeof loggedFields> {}
/** The same object without its name, for files, whose descriptions have no components. */
export const loggedInFile = loggedFields;
export const loggedActivitySchema = named<LoggedActivity>("LoggedActivity", loggedFields);

/** What a check of a workspace's log found. */
export interface ActivityCheck {
  workspace: string;
  /** Lines in the chain, from the oldest one that is kept */
  lines: number;
  /** Lines from before there were chains; 0 from the first new line on */
  unchained: number;
  /** The position and hash of the newest line: note them elsewhere, and a chain that was made anew is found, too */
  position: number;
  hash: string;
  /** The first line that is wrong; null if all are right. `id` is null if lines are missing */
  broken: { position: number; id: string | null; at: string | null; reason: string } | null;
}

/** The recorded activity of workspaces, for operators. */
export interface ActivityLog {
  /** Checks that no recorded line of the workspace with an id or slug was changed, added or removed since */
  verify(workspace: string): Promise<ActivityCheck>;
}
