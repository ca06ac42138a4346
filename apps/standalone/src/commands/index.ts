import type { Command, Group, Option } from "@terse/cli";
import { planNames } from "@terse/core/browser";

/** The commands for the machine of a service. Their code is loaded on demand, so that the others start quickly. */

const email: Option = { value: "EMAIL", help: "E-mail address of the account" };
const unverified: Option = {
  help: "Accept an account whose e-mail address was never verified and may be someone else's",
};
const byEmail = { email: { ...email, required: true }, unverified } as const;
/** An address may be unproven or change; an id is printed by other commands. */
const account = {
  email,
  unverified,
  account: { value: "ID", help: "Id of the account, instead of --email" },
} as const;
const plan: Option = { value: "PLAN", help: "Plan of the account", choices: planNames };
const workspace: Option = { value: "WORKSPACE", help: "Slug or id of the workspace", required: true };
const linkId: Option = {
  value: "ID",
  help: "The link's id, as printed by `link find` and `report list`",
  required: true,
};
const ofBucket = "The id of a bucket, or of a link on its page, stands for the whole bucket.";

const users = () => import("./user.ts");
const workspaces = () => import("./workspace.ts");
const keys = () => import("./key.ts");
const sessions = () => import("./session.ts");
const identities = () => import("./identity.ts");
const passkeys = () => import("./passkey.ts");
const scim = () => import("./scim.ts");
const links = () => import("./link.ts");
const imports = () => import("./import.ts");
const reports = () => import("./report.ts");
const backups = () => import("./backup.ts");

const importing = {
  ...byEmail,
  domain: {
    value: "HOST",
    help: "Verified domain of the account that the links go to; default: the service's own host",
  },
  "dry-run": { help: "Import nothing, and report what would happen to each link" },
  yes: { help: "Begin without asking" },
  result: { value: "FILE", help: "Write the outcome for each link to this CSV file", isFile: true },
} as const;
const importDetails = `Lists what will not be imported and asks before it begins; --yes begins at once. The service can keep running.

An import can be run again, even after it was interrupted or killed: no link and no click is imported twice, and anything new there is added. docs/import.md explains how each thing is imported.

Exit status 0: everything was read; the JSON output has the outcome. 1: the import did not complete; fix the problem in the
message and run it again.`;
const serviceKey = {
  key: { value: "KEY", help: "An API key of the service; other users of this machine can see it" },
  "key-file": { value: "FILE", help: "A file with the key", isFile: true },
} as const;
const password = {
  "password-file": {
    value: "FILE",
    help: "A file with the database's password, if it is not in the address",
    isFile: true,
  },
} as const;

export const adminGroups: readonly Group[] = [
  {
    name: "admin",
    summary: "Manage a service on its own machine, whether or not it is running",
    usage: 1,
  },
  { name: "admin user", summary: "Manage accounts" },
  { name: "admin workspace", summary: "Manage workspaces" },
  { name: "admin key", summary: "Manage API keys" },
  { name: "admin session", summary: "Manage sign-in sessions" },
  {
    name: "admin identity",
    summary: "Manage the identities that can sign in to an account",
  },
  { name: "admin passkey", summary: "Manage the passkeys that can sign in to an account" },
  { name: "admin scim", summary: "Manage the tokens of companies' directories (SCIM 2.0)" },
  { name: "admin activity", summary: "Check the log of what people did" },
  { name: "admin link", summary: "Manage links" },
  { name: "admin import", summary: "Import links from another service, with their clicks" },
  { name: "admin report", summary: "Manage visitors' reports of short links" },
  { name: "admin analytics", summary: "Manage click analytics" },
].map((group) => ({ usage: 1, ...group }));

export const adminCommands: readonly Command[] = [
  {
    name: "admin user create",
    args: "",
    summary: "Create an account",
    options: {
      email: byEmail.email,
      name: { value: "NAME", help: "Display name; default: the part of the address before the @" },
      plan: { ...plan, help: "Plan of the account, by default DEFAULT_PLAN" },
    },
    run: async (call) => (await users()).create(call),
  },
  {
    name: "admin user set-plan",
    args: "",
    summary: "Change an account's plan, effective with its next request",
    options: { ...byEmail, plan: { ...plan, required: true } },
    run: async (call) => (await users()).setPlan(call),
  },
  {
    name: "admin user set-operator",
    args: "",
    summary: "Make an account an operator, who can use the operator's screens of the console",
    options: { ...byEmail, off: { help: "Take this away again" } },
    run: async (call) => (await users()).setOperator(call),
  },
  {
    name: "admin user list",
    args: "",
    summary: "List all accounts, oldest first",
    run: async () => (await users()).list(),
  },
  {
    name: "admin user show",
    args: "",
    summary: "Show an account and its contents",
    options: account,
    run: async (call) => (await users()).show(call),
  },
  {
    name: "admin user suspend",
    args: "",
    summary: "Suspend an account: it cannot sign in, its keys and sessions get 403, its links answer 410",
    options: {
      ...account,
      reason: { value: "TEXT", help: "Reason; only shown by `user show`", required: true },
    },
    run: async (call) => (await users()).suspend(call),
  },
  {
    name: "admin user resume",
    args: "",
    summary: "Resume a suspended account; disabled links stay disabled",
    options: account,
    run: async (call) => (await users()).resume(call),
  },
  {
    name: "admin user delete",
    args: "",
    summary: "Delete an account and everything in it, immediately and permanently",
    options: account,
    run: async (call) => (await users()).remove(call),
  },
  {
    name: "admin workspace list",
    args: "",
    summary: "List all workspaces with their plans and owners, oldest first",
    run: async () => (await workspaces()).list(),
  },
  {
    name: "admin workspace show",
    args: "",
    summary: "Show a workspace",
    options: { workspace },
    run: async (call) => (await workspaces()).show(call),
  },
  {
    name: "admin workspace set-plan",
    args: "",
    summary: "Change a workspace's plan, effective with the next request of its members",
    options: { workspace, plan: { ...plan, help: "Plan of the workspace", required: true } },
    run: async (call) => (await workspaces()).setPlan(call),
  },
  {
    name: "admin key create",
    args: "",
    summary: "Create an API key for an account on any plan; the key is shown only once",
    options: {
      ...byEmail,
      name: { value: "NAME", help: "What the key is for" },
      scopes: {
        value: "SCOPES",
        help: "What the key can do: scopes separated by commas, such as links:read,analytics:read; default: everything",
      },
      "expires-at": {
        value: "TIME",
        help: "When it expires, such as 2027-01-31T12:00:00Z; default: never",
      },
    },
    run: async (call) => (await keys()).create(call),
  },
  {
    name: "admin key list",
    args: "",
    summary: "List the API keys of an account, newest first, by their prefixes",
    options: account,
    run: async (call) => (await keys()).list(call),
  },
  {
    name: "admin key revoke",
    args: "",
    summary: "Revoke an API key; requests with it are rejected at once",
    options: { id: { value: "ID", help: "The key's id, as printed by `key list`", required: true } },
    run: async (call) => (await keys()).revoke(call),
  },
  {
    name: "admin login-link",
    args: "",
    summary:
      "Create a one-time sign-in link: for this machine, valid for 15 minutes, or, if BASE_URL is https, to send to a person, valid for 10",
    options: byEmail,
    run: async (call) => (await sessions()).loginLink(call),
  },
  {
    name: "admin session create",
    args: "",
    summary: "Create a session for an account, without a sign-in provider; the token is shown only once",
    options: byEmail,
    run: async (call) => (await sessions()).create(call),
  },
  {
    name: "admin session end",
    args: "",
    summary: "End all sessions of an account; API keys stay valid",
    options: account,
    run: async (call) => (await sessions()).end(call),
  },
  {
    name: "admin identity list",
    args: "",
    summary: "List the identities of an account, oldest first",
    options: account,
    run: async (call) => (await identities()).list(call),
  },
  {
    name: "admin identity unlink",
    args: "",
    summary: "Remove an identity: its next sign-in is treated as its first. Sessions continue",
    options: {
      id: { value: "ID", help: "The identity's id, as printed by `identity list`", required: true },
    },
    run: async (call) => (await identities()).unlink(call),
  },
  {
    name: "admin passkey list",
    args: "",
    summary: "List the passkeys of an account, newest first",
    options: account,
    run: async (call) => (await passkeys()).list(call),
  },
  {
    name: "admin passkey remove",
    args: "",
    summary: "Remove a passkey, such as one that was lost. Sessions continue",
    options: {
      id: { value: "ID", help: "The passkey's id, as printed by `passkey list`", required: true },
    },
    run: async (call) => (await passkeys()).remove(call),
  },
  {
    name: "admin scim token",
    args: "",
    summary:
      "Create a token with which a company's directory manages the people of a workspace; shown only once",
    details:
      "Give it, and the address in the answer, to the directory. docs/company.md explains what it may do.",
    options: { workspace, name: { value: "NAME", help: "What the token is for" } },
    run: async (call) => (await scim()).token(call),
  },
  {
    name: "admin scim list",
    args: "",
    summary: "List the tokens of a workspace's directory, oldest first",
    options: { workspace },
    run: async (call) => (await scim()).list(call),
  },
  {
    name: "admin scim revoke",
    args: "",
    summary: "Revoke a token; people and groups stay as they are",
    options: { id: { value: "ID", help: "The token's id, as printed by `scim list`", required: true } },
    run: async (call) => (await scim()).revoke(call),
  },
  {
    name: "admin activity verify",
    args: "",
    summary: "Check that no line of a workspace's activity log was changed, added or removed",
    details: `Each line carries the hash of the line before it. "broken" is the first line that does not fit, or null. Whoever can write to the database can also make a new chain: note "position" and "hash" elsewhere, or send \`activity.created\` to a webhook, to find that as well. Changes of links are in their history, which has no chain.

Exit status 0: all lines fit. 1: "broken" says which does not.`,
    options: {
      workspace: {
        value: "W",
        help: "Id or slug of the workspace; a personal one has its person's id",
        required: true,
      },
    },
    run: async (call) => (await import("./activity.ts")).verify(call),
  },
  {
    name: "admin link import",
    args: "FILE",
    summary: "Create links from a list of URLs, CSV or JSON",
    details: `FILE has one URL per line, CSV whose first line names the columns, or JSON; exports of other services work, too. docs/import.md explains what is imported. Use - for standard input; it writes a result file only with --result.

The result file lists the outcome of every line. It appears when the import is complete. You can run an import again, even after it
was interrupted or killed: no link is created twice.

Exit status 0: every line was processed; the JSON output has the number of rejected lines. 1: the import did not complete; fix the
problem in the message and run it again.`,
    options: {
      ...byEmail,
      result: {
        value: "FILE",
        help: "Where to write the result, as CSV; default: FILE.result.csv",
        isFile: true,
      },
      domain: { value: "HOST", help: "Domain for all links; default: the one named in the file" },
      columns: {
        value: "NAMES",
        help: 'Names of the columns, such as destination,slug,tags; "-" skips one',
      },
    },
    run: async (call) => (await links()).importLinks(call),
  },
  {
    name: "admin link find",
    args: "",
    summary:
      "Find links of all accounts, newest first; by one of --host, --slug, --email, --account, --newest",
    details: `"more" is true if there are more links than --limit. --host reads all links, which takes a few seconds per million.`,
    options: {
      ...account,
      host: {
        value: "HOST",
        help: "Links that lead to this host or a subdomain, by their destination or a rule",
      },
      slug: { value: "SLUG", help: "Slug or short URL" },
      newest: { help: "The newest links" },
      limit: { value: "NUMBER", help: "Links to print, at most 10,000; default: 100" },
    },
    run: async (call) => (await links()).find(call),
  },
  {
    name: "admin link disable",
    args: "",
    summary: "Disable a link: it answers 410, and its owner cannot change or delete it",
    details: ofBucket,
    options: { id: linkId, reason: { value: "TEXT", help: "Reason, shown to the owner", required: true } },
    run: async (call) => (await links()).disable(call),
  },
  {
    name: "admin link enable",
    args: "",
    summary: "Enable a link that was disabled",
    details: ofBucket,
    options: { id: linkId },
    run: async (call) => (await links()).enable(call),
  },
  {
    name: "admin link delete",
    args: "",
    summary: "Delete a link; its slug is free at once, even for its owner (`disable` keeps it taken)",
    details: ofBucket,
    options: { id: linkId },
    run: async (call) => (await links()).remove(call),
  },
  {
    name: "admin import shlink",
    args: "",
    summary: "Import short URLs and all their visits from Shlink 3 or newer",
    details: importDetails,
    options: {
      ...importing,
      ...serviceKey,
      url: { value: "URL", help: "Address of the service", required: true },
    },
    run: async (call) => (await imports()).shlink(call),
  },
  {
    name: "admin import yourls",
    args: "SOURCE",
    summary: "Import links and every logged click from a YOURLS database, or a dump of it",
    details: `SOURCE is an SQL file, as mysqldump or phpMyAdmin writes it, or mysql://user@host/database.\n\n${importDetails}`,
    options: {
      ...importing,
      ...password,
      prefix: { value: "PREFIX", help: "Prefix of its tables; default: yourls_" },
    },
    run: async (call) => (await imports()).yourls(call),
  },
  {
    name: "admin import kutt",
    args: "[DATABASE]",
    summary: "Import links from Kutt; its click totals become `imported_clicks`",
    details: `DATABASE is postgres://user@host/database, instead of --url and a key.\n\n${importDetails}`,
    options: {
      ...importing,
      ...serviceKey,
      ...password,
      url: { value: "URL", help: "Address of the service" },
      user: {
        value: "EMAIL",
        help: "User of Kutt whose links are imported from the database; default: --email",
      },
    },
    run: async (call) => (await imports()).kutt(call),
  },
  {
    name: "admin import on-miss",
    args: "",
    summary: "Ask another service about a domain's unknown slugs",
    details: `While this is set, URL is asked once about each unknown slug of the domain, which then becomes a link. Requests go to public addresses only, unless OUTBOUND_NETWORKS allows others. See docs/import.md.`,
    options: {
      ...byEmail,
      domain: { value: "HOST", help: "Verified domain of the account", required: true },
      from: { value: "URL", help: "Address of the service that the domain was moved from" },
      off: { help: "Stop asking" },
    },
    run: async (call) => (await imports()).onMiss(call),
  },
  {
    name: "admin report list",
    args: "",
    summary: "List the open reports, newest first, at most 1,000",
    options: { all: { help: "Closed reports, too; reports are deleted after 180 days" } },
    run: async (call) => (await reports()).list(call),
  },
  {
    name: "admin report close",
    args: "",
    summary: "Close a report, or all reports of a link",
    options: {
      id: { value: "ID", help: "The report's id, as printed by `report list`" },
      link: { value: "ID", help: "The link's id, to close all of its reports" },
    },
    run: async (call) => (await reports()).close(call),
  },
  {
    name: "admin mail list",
    args: "",
    summary: "List the mails that wait or were refused, with their texts, newest first",
    details:
      "Codes and links for signing in are not shown. Without SMTP_URL, nothing is sent: this is what would be.",
    options: { all: { help: "Sent and expired mails, too; mails are deleted after 30 days" } },
    run: async (call) => (await import("./mail.ts")).list(call),
  },
  {
    name: "admin analytics rebuild",
    args: "",
    summary: "Rebuild all rollups from the raw clicks and verify them",
    details: `Recounts every raw click and compares the result with all rollups. Differences are repaired and listed in "differences": the number of
rows by table and month. An empty list proves that the rollups were correct. Months in "kept" have lost raw clicks to
CLICK_RETENTION_DAYS; their rollups are left unchanged.

A running service stays available; counting pauses for the month that is being checked. If the command is interrupted or killed, each
month is either unchanged or fully repaired.

Exit status 0: all rollups are correct now, whether or not they were before.`,
    run: async () => (await import("./analytics.ts")).rebuild(),
  },
  {
    name: "admin backup",
    args: "FILE",
    summary: "Copy everything the service has stored to a new file",
    details: `The service can keep running. The file has one snapshot of the database, and this data folder's clicks that are not yet counted in it. With several nodes, each has its own click log, which stays with the node. The file contains all of the service's personal data. Only its owner can read it; encrypt it before it leaves this machine.`,
    run: async (call) => (await backups()).backup(call),
  },
  {
    name: "admin restore",
    args: "FILE",
    summary: "Replace the contents of a database with a backup",
    details: `Stop every node first. The database is DATABASE_URL or, if that is not set, the embedded one of DATA_DIR. The whole file is checked
first. All tables are then replaced in one transaction: if that fails or is killed, the database is unchanged, and you can run the command again. A backup of an earlier version is migrated afterwards. Rows, checksums and the sum of all click counts are read back and
compared with the file.`,
    options: {
      force: { help: "Delete the database's current contents" },
      check: { help: "Only check that the file is complete, and print its contents" },
    },
    run: async (call) => (await backups()).restore(call),
  },
  {
    name: "admin move",
    args: "",
    summary: "Move the embedded database to another PostgreSQL, and verify that everything arrived",
    details: `Stop the service first; it refuses to start on this data folder while the command runs, and afterwards until DATABASE_URL is set.
Everything is copied in one transaction. Rows and checksums of each table are then compared on both sides and printed. The click log stays in DATA_DIR, and counting continues from there. The embedded database is left unchanged.`,
    options: {
      to: {
        value: "URL",
        help: "URL of the other database; other users of this machine may see it while the command runs",
      },
      "to-file": { value: "FILE", help: "A file with that URL", isFile: true },
      force: { help: "Delete the other database's current contents" },
    },
    run: async (call) => (await backups()).move(call),
  },
];
