import { appRouter, countOf } from "@terse/core";
import { creates, overwrites, reads } from "./hints.ts";
import { bucketsByName, domainsByName, tagsByName } from "./named.ts";
import { inFull } from "./rows.ts";
import {
  bucketLine,
  changedLine,
  createdLine,
  domainLine,
  explainLine,
  jobLine,
  type Page,
  pageLine,
  whatIfLine,
} from "./texts.ts";
import { byPages } from "./table.ts";
import { tool, type Tool } from "./tool.ts";
import { bucketWords } from "./words.ts";

const { analytics, buckets, changes, domains, invitations, jobs, links, members, tags } = appRouter;

/** Asking again does no harm, and the account is not changed by its owner. */
const checks = { ...creates, idempotentHint: true };

const changeRows = {
  next: byPages,
  hints: reads,
  list: "changes",
  words: { fields: "Of each change, such as [id, action]" },
  text: ({ meta }: { meta: Page }) => pageLine(meta, "change"),
};

/** The tools that the full server lists after the specification's ten. */
export const moreTools = {
  locate_link: tool(links.locate, {
    title: "Find a link's id",
    description:
      "Returns the id of a link by its slug or short URL. Use it for tools that take ids only, such as bulk_update_links; others take a slug or short URL themselves.",
    hints: reads,
    text: ({ id }) => `The link's id is ${id}`,
  }),
  explain_link: tool(links.explain, {
    title: "Explain where a link leads",
    description:
      "Says what one visitor of a link would get, which rule decides, and why; nothing is counted. Use it when a link leads somewhere unexpected, or to check its rules. Describe the visitor with country, language, user_agent and the like.",
    words: {
      country: "Of the visitor, such as DE",
      at: "Time of the visit, such as 2027-01-31T12:00:00Z; now by default",
      path: "What follows the slug, such as /a/b",
      user_agent: "Of the browser, such as Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)",
      language: "Accept-Language, such as de-AT,de;q=0.9",
      referrer: "Page that the visitor comes from, such as https://news.example/",
      query: "Of the short URL, such as utm_source=mail",
      ip: "Address of the visitor, such as 192.0.2.1",
      visitor: "Cookie that decides an A/B test, such as 8f14e45f",
      unlocked: "Whether the password was entered",
    },
    next: "get_link has the link",
    hints: reads,
    text: explainLine,
  }),
  what_if: tool(analytics.whatIf, {
    title: "Try rules on past clicks",
    description:
      "Says where a link's past clicks would have gone with other rules, and how many would move; nothing is saved. Use it before you change rules, countries or an A/B test with update_link. Clicks whose outcome depends on data that is not stored count as unknown.",
    words: {
      draft: "What would change, such as geo_rules DE to https://example.de/",
      clear: "Rules to leave out, such as [ab_test]",
      period: "Window that ends now, such as 30d",
    },
    clears: "draft",
    // Rules are tried here before they are set, so this tool is the one that has room to describe their parts.
    describesMembers: true,
    next: "Ask for a shorter period",
    hints: reads,
    text: whatIfLine,
  }),
  bulk_create_links: tool(links.bulkCreate, {
    title: "Create many links",
    description:
      "Creates up to a thousand links at once, in a message of at most 64 KiB. First call it with dry_run, show the user what would be created, and ask. Each link is checked alone: results says which was refused and why.",
    words: {
      links: "As in create_link, such as url https://example.com/a, tags [spring]",
      on_error: "continue creates the others; stop creates none",
    },
    next: "Send fewer links at once; list_links has those that were created",
    hints: creates,
    text: createdLine,
  }),
  bulk_update_links: tool(links.bulkUpdate, {
    title: "Change many links",
    description:
      "Changes many links alike, by ids or by filter: fields, tags, on or off. First call it with dry_run, tell the user how many would change, and ask. undo_change takes the change_id of the answer. More than a thousand continue as a job: get_job.",
    clears: "set",
    words: {
      set: "What changes, as in update_link; created_by: a member's id hands over; such as is_active 0",
      clear: "Fields to remove, such as [expires_at]",
      add_tags: "Besides the links' own, such as [spring]",
      remove_tags: "Such as [winter]",
    },
    next: "Send fewer ids at once",
    hints: overwrites,
    text: changedLine("changed"),
  }),
  bulk_delete_links: tool(links.bulkDelete, {
    title: "Delete many links",
    description:
      "Deletes many links, by ids or by filter, and frees their slugs. First call it with dry_run, tell the user how many and which would be deleted, and ask. undo_change brings them back while their slugs are free.",
    next: "Send fewer ids at once",
    hints: overwrites,
    text: changedLine("deleted"),
  }),
  transfer_links: tool(links.transfer, {
    title: "Move links to another workspace",
    description:
      "Moves links, by ids or by filter, with their clicks and history to another workspace of the user. First call it with dry_run, tell the user how many would move, and ask. undo_change moves them back.",
    words: { workspace: "Id or slug, such as marketing" },
    next: "Send fewer ids at once",
    hints: overwrites,
    text: changedLine("moved"),
  }),
  list_changes: tool(changes.list, {
    title: "List changes",
    description:
      "Lists changes to the account's links, newest first: when and by whom. Use it to find out what happened, or the id for undo_change. Deleted links are here, too; get_link_history has old and new values.",
    ...changeRows,
    usual: inFull("id", "at", "by", "action", "slug", "links", "undone_by"),
  }),
  get_link_history: tool(links.history, {
    title: "Get the history of a link",
    description:
      "Lists the changes of one link, newest first: when, by whom, and each field's old and new value. Use it when the user asks what happened to a link. For a deleted link, give the id.",
    takesDeleted: true,
    ...changeRows,
    usual: inFull("id", "at", "by", "action", "fields", "undone_by"),
  }),
  undo_change: tool(changes.undo, {
    title: "Undo a change",
    description:
      "Undoes one change from list_changes, of one link or many: old values return, a deleted link comes back with its clicks, and a created one is deleted. Use it when the user regrets a change. Refused if a later change touched the same field or the slug is taken. An undo can be undone.",
    idOf: "list_changes",
    words: { id: "Id of the change, such as 0190…; of a creation, the link's id" },
    hints: overwrites,
    text: () => "The change is undone",
  }),
  list_recent_clicks: tool(analytics.realtime, {
    title: "List recent clicks",
    description:
      "Returns the last 20 clicks, newest first, with time, link, country, device and referrer. Use it to see whether a link works right now; for totals, use get_analytics.",
    words: { domain: "Such as go.example.com", fields: "Of each click, such as [timestamp, country]" },
    next: "Ask for fewer fields or more filters",
    hints: reads,
    list: "clicks",
    usual: { ...inFull("timestamp", "shortUrl", "country", "device", "browser", "os"), referrer: 60 },
    text: (clicks) => `${clicks.length} of the last 20 clicks`,
  }),
  list_tags: tool(tags.list, {
    title: "List tags",
    description:
      "Lists all tags of the account by name, with their ids and how many links have each. Use it before you rename or delete a tag, or to choose one.",
    next: "list_links has the tags of links that its search finds; rename_tag and delete_tag take a name",
    hints: reads,
    list: "tags",
    text: (all) => `${all.length} tags`,
  }),
  rename_tag: tool(tags.rename, {
    title: "Rename or merge a tag",
    description:
      "Gives a tag another name on all its links. If the name is that of another tag, both become one: ask the user first. undo_change takes the change_id of the answer.",
    idOf: "list_tags",
    named: tagsByName,
    words: { name: "New name, such as summer" },
    hints: overwrites,
    text: ({ name, links: count }) => `The tag is now ${name}, on ${count} links`,
  }),
  delete_tag: tool(tags.delete, {
    title: "Delete a tag",
    description:
      "Takes a tag from all links and deletes it; the links stay. Tell the user how many links have it, as list_tags says, before you do. undo_change takes the change_id of the answer.",
    idOf: "list_tags",
    named: tagsByName,
    hints: overwrites,
    text: () => "The tag is deleted; its links stay",
  }),
  list_domains: tool(domains.list, {
    title: "List domains",
    description:
      "Lists the custom domains of the account with their status, settings and the DNS records to set. Use it to see which hosts links can have; a domain serves links once its status is verified. Those with owned false belong to other workspaces.",
    next: "verify_domain has one domain",
    hints: reads,
    list: "domains",
    text: (all) => all.map(domainLine).join("\n") || "No custom domains",
  }),
  add_domain: tool(domains.create, {
    title: "Add a domain",
    description:
      "Adds a custom domain. Use it when short URLs should have the user's own host. Show the user the DNS records in dns, to be set where the domain is managed; when that is done, call verify_domain.",
    words: { domain: "Host name, such as go.example.com" },
    hints: creates,
    text: domainLine,
  }),
  verify_domain: tool(domains.verify, {
    title: "Verify a domain",
    description:
      "Looks up the DNS records of a domain now and marks it as verified if they are right; checks says what is missing. Use it after add_domain, when the user has set the records. DNS may take minutes.",
    idOf: "list_domains",
    named: domainsByName,
    hints: checks,
    text: domainLine,
  }),
  update_domain: tool(domains.update, {
    title: "Set up a domain",
    description:
      "Sets where visits to a custom domain go if no link serves them. Use it for the bare domain, unknown slugs and ended links. Only given fields change.",
    idOf: "list_domains",
    named: domainsByName,
    clears: true,
    omitted: ["apple_app_site_association", "assetlinks"],
    words: {
      root_url: "For the bare domain, such as https://example.com/",
      not_found_url: "For unknown slugs, such as https://example.com/404",
      expired_url: "For ended links, such as https://example.com/over",
      clear: "Fields to remove, such as [root_url]",
      shared_with: "Workspaces that may use it, such as [0190…]",
      import_from: "Service asked about unknown slugs, such as https://old.example",
    },
    next: "list_domains has the rest",
    hints: overwrites,
    text: domainLine,
  }),
  delete_domain: tool(domains.delete, {
    title: "Delete a domain",
    description:
      "Removes a custom domain: its links stay in the account, but their short URLs stop working until it is added and verified again. Use it only after the user confirmed this very domain.",
    idOf: "list_domains",
    named: domainsByName,
    hints: overwrites,
    text: () => "The domain is deleted; its links stay",
  }),
  get_bucket: tool(buckets.get, {
    title: "Get a bucket",
    description:
      "Returns one bucket, a link-in-bio page, with its links, look, views and clicks. Use it before update_bucket, whose links replace the whole list.",
    idOf: "list_buckets",
    named: bucketsByName,
    next: "list_buckets with fields and limit has the rest",
    hints: reads,
    text: bucketLine,
  }),
  update_bucket: tool(buckets.update, {
    title: "Update a bucket",
    description:
      "Changes a bucket at once. Use it for its name, look, slug or links; fields that are left out stay. links replaces the list: to add or move one, send all of them in order. With a new slug, the old short URL stops working.",
    idOf: "list_buckets",
    named: bucketsByName,
    clears: true,
    words: {
      ...bucketWords,
      clear: "Fields to remove, such as [description]",
      links: "Replaces all of them, such as title Blog, url https://example.com/",
    },
    next: "get_bucket has the rest",
    hints: overwrites,
    text: (bucket) => `Updated ${bucketLine(bucket)}`,
  }),
  delete_bucket: tool(buckets.delete, {
    title: "Delete a bucket",
    description:
      "Deletes a bucket with its counts and frees its slug. It cannot be undone. Use it only after the user confirmed this very bucket.",
    idOf: "list_buckets",
    named: bucketsByName,
    hints: overwrites,
    text: () => "The bucket is deleted",
  }),
  get_bucket_stats: tool(buckets.stats, {
    title: "Get a bucket's views and clicks",
    description:
      "Returns the all-time views of a bucket's page and the clicks on each of its links. Use it when the user asks how a page performs or which of its links are used.",
    idOf: "list_buckets",
    named: bucketsByName,
    next: "get_bucket has the links",
    hints: reads,
    text: ({ views, clicks }) => `${views} views, ${clicks} clicks`,
  }),
  list_jobs: tool(jobs.list, {
    title: "List jobs",
    description:
      "Lists imports and changes of many links that are waiting, running or ended in the last seven days, with their progress. Use it when the user asks how an import is going.",
    next: byPages,
    hints: reads,
    list: "jobs",
    usual: inFull("id", "kind", "status", "done", "total", "result", "problem", "created_at"),
    words: { fields: "Of each job, such as [id, status]" },
    text: ({ data, meta }) => [pageLine(meta, "job"), ...data.map(jobLine)].join("\n"),
  }),
  get_job: tool(jobs.get, {
    title: "Get a job",
    description:
      "Returns the progress of one import or change of many links. Use it with the job_id of an answer: status, done of total, outcomes, why it failed. Call it again after some seconds while status is waiting or running.",
    idOf: "list_jobs",
    words: { id: "job_id of an answer, or id of list_jobs, such as 0190…" },
    hints: reads,
    text: jobLine,
  }),
  cancel_job: tool(jobs.cancel, {
    title: "Cancel a job",
    description:
      "Stops an import or a change of many links. Use it when the user wants it stopped. Changes already made stay, and can be undone with undo_change; a job that has ended is not affected.",
    idOf: "list_jobs",
    hints: overwrites,
    text: jobLine,
  }),
  list_members: tool(members.list, {
    title: "List members",
    description:
      "Lists the members of the workspace with their roles. Use it when the user asks who works here.",
    next: "The console lists all of them",
    hints: reads,
    list: "members",
    text: (all) => countOf(all.length, "member"),
  }),
  invite_member: tool(invitations.create, {
    title: "Invite someone",
    description:
      "Invites someone to the workspace. Use it only after the user confirmed address and role. Give the user the url, which is shown once; without email, whoever has it can join.",
    omitted: ["expires_in_days"],
    words: { email: "Such as ada@example.com", role: "At most the user's own" },
    hints: creates,
    text: ({ email, role, url }) => `Invited ${email ?? "whoever has the link"} as ${role}: ${url}`,
  }),
} satisfies Record<string, Tool>;
