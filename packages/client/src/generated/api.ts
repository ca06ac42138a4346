// Written by `npm run docs`; do not edit.

import type { Call, CallOptions, FileCall, Pages } from "../calls.ts";

/** Every operation of the service, under the name of its procedure. */
export interface Operations {
  links: {
    /** Create a short link. An API key with scopes needs `links:write`. */
    create(input: LinksCreateInput, options?: CallOptions): Call<Link>;
    /** List links. All given filters must match. `total` counts up to 10,000 links, or 1,000 with a filter; if there may be more, `total_is_exact` is false, and further pages can be requested. An API key with scopes needs `links:read`. */
    list(input?: LinksListInput, options?: CallOptions): Pages<Link>;
    /** Check whether a slug is free. Says whether a link could be created with this slug now, at most 120 times a minute. Someone else may take it a moment later. An API key with scopes needs `links:read` or `links:write`. */
    availability(input: LinksAvailabilityInput, options?: CallOptions): Call<LinksAvailabilityOutput>;
    /** Export links. All links that match the filters of the list, as of one moment, in the same order. An API key with scopes needs `links:read`. */
    export(input?: LinksExportInput, options?: CallOptions): FileCall;
    /** Get a link. An API key with scopes needs `links:read`. */
    get(input: ById, options?: CallOptions): Call<Link>;
    /** Find a link by its slug or short URL. Returns the id that the other operations take. A slug alone is looked up on the service's own host and on the account's domains; if several have it, the answer is 400 and names them. An API key with scopes needs `links:read` or `links:write` or `analytics:read`. */
    locate(input: LinksLocateInput, options?: CallOptions): Call<ById>;
    /** Update a link. Only the given fields change; null clears title, notes, tags, qr, starts_at, expires_at, click_limit, preview, password, rules, geo_rules, ab_test, fallback_url, redirect_status, forward_path and forward_query. A link can be sent back as it was read: `destination` is used if `url` is missing, and read-only fields are ignored. An API key with scopes needs `links:write`. */
    update(input: LinksUpdateInput, options?: CallOptions): Call<Link>;
    /** Delete a link. An API key with scopes needs `links:write`. */
    delete(input: ById, options?: CallOptions): Call<Deleted>;
    /** Create many links. Each link counts as one creation and is checked and refused on its own. Beyond the rate limit, the remaining links are refused with 429; if that is all of them, so is the request. An API key with scopes needs `links:write`. */
    bulkCreate(input: LinksBulkCreateInput, options?: CallOptions): Call<LinksBulkCreateOutput>;
    /** Change many links. Links that cannot be changed are in `results`; all others change together. If a filter matches more than a thousand links, a job changes those that match now. Slugs cannot be set here, since each belongs to one link. An API key with scopes needs `links:write`. */
    bulkUpdate(input: LinksBulkUpdateInput, options?: CallOptions): Call<ChangedLinks | StartedJob>;
    /** Delete many links. Their slugs are free at once. Ids without a link in the account are in `results`. If a filter matches more than a thousand links, a job deletes those that match now. An API key with scopes needs `links:write`. */
    bulkDelete(input: LinksBulkDeleteInput, options?: CallOptions): Call<ChangedLinks | StartedJob>;
    /** Move links to another workspace. Needs the role editor in both workspaces. Links keep their ids, slugs, clicks and history, and get the same tags there; alerts on them are deleted. Links whose domain or options the other workspace cannot use are in `results`; all others move together. If a filter matches more than a thousand links, or the links have more than a million clicks, a job moves them. An API key with scopes needs `links:write`. */
    transfer(input: LinksTransferInput, options?: CallOptions): Call<ChangedLinks | StartedJob>;
    /** List the changes of a link. Works for deleted links, too. Changes are kept for 90 days unless the operator set HISTORY_DAYS. An API key with scopes needs `links:read`. */
    history(input: LinksHistoryInput, options?: CallOptions): Pages<LinkChange>;
    /** Get a link's QR code. An image that scanners read as shortUrl, whatever the slug. Options missing from the query are taken from the link's `qr`, or else from a plain code. At most 120 PNGs a minute can have shapes or a logo. An API key with scopes needs `links:read`. */
    qr(input: LinksQrInput, options?: CallOptions): FileCall;
    /** Get the logo of QR codes. The stored image. An API key with scopes needs `links:read`. */
    qrLogo(options?: CallOptions): Call<LinksQrLogoOutput>;
    /** Set the logo of QR codes. Takes a PNG, JPEG or WebP image of at most 2 MB and 16 million pixels as the body, and stores it with its proportions, at most 192 pixels wide and high. Refused (400) if scanners cannot read codes with it. QR codes show it with `logo=true`. An API key with scopes needs `links:write`. */
    setQrLogo(input: LinksSetQrLogoInput, options?: CallOptions): Call<LinksSetQrLogoOutput>;
    /** Delete the logo of QR codes. QR codes can no longer show it. Succeeds if there is none. An API key with scopes needs `links:write`. */
    deleteQrLogo(options?: CallOptions): Call<LinksDeleteQrLogoOutput>;
    /** Explain where a link leads. What a visitor would get, which rule decides, and why. Nothing is counted. For a time in the past, the link is evaluated as it was then, if its history goes back that far; `reasons` says so if it was different. An API key with scopes needs `links:read`. */
    explain(input: LinksExplainInput, options?: CallOptions): Call<LinksExplainOutput>;
    /** Explain where a link would lead. What each visitor would get if the link were saved with these fields, at most 120 times a minute. URLs and options that could not be saved are refused with the same errors. Nothing is stored or counted. An API key with scopes needs `links:read`. */
    explainDraft(input: LinksExplainDraftInput, options?: CallOptions): Call<LinksExplainDraftOutput>;
  };

  changes: {
    /** List the changes of all links. The last 10,000, creations included. A change of many links is one entry; it is also in the history of each link. An API key with scopes needs `links:read`. */
    list(input?: ChangesListInput, options?: CallOptions): Pages<LinkChange>;
    /** Undo a change. Restores the changed fields to their previous values. A deleted link comes back with its id, slug and clicks; a created one is deleted. Plan, quota, blocked hosts and loops are checked as in an update. If a later change touched the same field, or the slug is taken, the answer is 409. For a change of many links, those that cannot be changed back are in `results`; more than 10,000 are changed back by a job. An undo is itself a change. An API key with scopes needs `links:write`. */
    undo(input: ById, options?: CallOptions): Call<Link | Deleted | ChangedLinks | StartedJob>;
  };

  imports: {
    /** Import links. Takes an export of another service, or a list of URLs, as the body. A job creates the links as fast as the plan's creation limit allows. Its result file lists each row's short URL, or why it has none. An API key with scopes needs `links:write`. */
    create(input: ImportsCreateInput, options?: CallOptions): Call<ImportsCreateOutput>;
  };

  jobs: {
    /** List jobs. Background work that is waiting, running, or ended in the last seven days. An API key with scopes needs `links:read` or `links:write`. */
    list(input?: JobsListInput, options?: CallOptions): Pages<Job>;
    /** Get a job. An API key with scopes needs `links:read` or `links:write`. */
    get(input: ById, options?: CallOptions): Call<Job>;
    /** Cancel a job. Changes it has already made stay. Does nothing to a job that has ended. An API key with scopes needs `links:write`. */
    cancel(input: ById, options?: CallOptions): Call<Job>;
    /** Get the result file of a job. CSV. For an import, each row with its short URL, or why it has none; for other jobs, the links that could not be changed. While the job is running, the results so far. An API key with scopes needs `links:read` or `links:write`. */
    result(input: JobsResultInput, options?: CallOptions): FileCall;
  };

  buckets: {
    /** Create a bucket. Needs the Pro plan. An API key with scopes needs `buckets`. */
    create(input: BucketsCreateInput, options?: CallOptions): Call<Bucket>;
    /** List buckets. Needs the Pro plan. An API key with scopes needs `buckets`. */
    list(input?: BucketsListInput, options?: CallOptions): Pages<Bucket>;
    /** Get a bucket. Needs the Pro plan. An API key with scopes needs `buckets`. */
    get(input: ById, options?: CallOptions): Call<Bucket>;
    /** Update a bucket. Only the given fields change; `links` replaces the list. A link that keeps its URL or its title keeps its clicks. Needs the Pro plan. An API key with scopes needs `buckets`. */
    update(input: BucketsUpdateInput, options?: CallOptions): Call<Bucket>;
    /** Delete a bucket. An API key with scopes needs `buckets`. */
    delete(input: ById, options?: CallOptions): Call<Deleted>;
    /** Get a bucket's views and clicks. Needs the Pro plan. An API key with scopes needs `buckets`. */
    stats(input: ById, options?: CallOptions): Call<BucketsStatsOutput>;
    /** Set a bucket's image. Takes a PNG, JPEG or WebP image of at most 2 MB and 16 million pixels as the body. It is cropped to a square and stored as WebP, 256 by 256 pixels, without metadata. Needs the Pro plan. An API key with scopes needs `buckets`. */
    setAvatar(input: BucketsSetAvatarInput, options?: CallOptions): Call<Bucket>;
    /** Remove a bucket's image. Succeeds if there is none. An API key with scopes needs `buckets`. */
    deleteAvatar(input: ById, options?: CallOptions): Call<Bucket>;
  };

  analytics: {
    /** Get the account's analytics. On the Free plan the answer is locked: numbers are null and lists empty. Filters can be repeated: values of the same name are alternatives, and every name must match. "!" before a value excludes it. An API key with scopes needs `analytics:read`. */
    overview(input?: AnalyticsOverviewInput, options?: CallOptions): Call<Overview>;
    /** See the last clicks. A click appears within two seconds. A filter searches the last 100,000 clicks. Filters can be repeated: values of the same name are alternatives, and every name must match. "!" before a value excludes it. Needs the Pro plan. An API key with scopes needs `analytics:read`. */
    realtime(input?: ClickFilters, options?: CallOptions): Call<Click[]>;
    /** Follow clicks. Server-sent events: `click` carries a click as in the list of the last clicks. With the id of an event, the stream continues after it; each click is sent once. Filters can be repeated: values of the same name are alternatives, and every name must match. "!" before a value excludes it. Needs the Pro plan. An API key with scopes needs `analytics:read`. */
    live(input?: AnalyticsLiveInput, options?: CallOptions): FileCall;
    /** Get a link's analytics. Filters can be repeated: values of the same name are alternatives, and every name must match. "!" before a value excludes it. An API key with scopes needs `analytics:read`. */
    link(input: AnalyticsLinkInput, options?: CallOptions): Call<LinkAnalytics>;
    /** Export clicks. One row per click, without bots, oldest first: the same clicks that the overview counts for this window and filter. Filters can be repeated: values of the same name are alternatives, and every name must match. "!" before a value excludes it. Needs the Pro plan. An API key with scopes needs `analytics:read`. */
    export(input?: AnalyticsExportInput, options?: CallOptions): FileCall;
    /** Get the daily clicks of several links. On the Free plan the answer is locked: `links` is empty. An API key with scopes needs `analytics:read`. */
    sparklines(input?: AnalyticsSparklinesInput, options?: CallOptions): Call<AnalyticsSparklinesOutput>;
    /** Compare rules by a link's past clicks. Where past clicks would have gone with the draft, compared with the link as it is now; at most 120 times a minute. Fields missing from the draft stay as they are. Visitors' language, query and address are not stored, hosts of one source are stored as one, and A/B variants are only known since the test last changed: clicks whose outcome depends on any of these count as `unknown`. Nothing is saved. An API key with scopes needs `analytics:read`. */
    whatIf(input: AnalyticsWhatIfInput, options?: CallOptions): Call<AnalyticsWhatIfOutput>;
  };

  users: {
    /** Get the current user. An API key with scopes needs `account`. */
    me(options?: CallOptions): Call<User>;
    /** Get the current user's full profile. An API key with scopes needs `account`. */
    profile(options?: CallOptions): Call<Profile>;
    /** Get the plan. The plan's features and limits, the account's usage, and the other plans. An API key with scopes needs `account`. */
    plan(options?: CallOptions): Call<PlanOverview>;
    /** Update consents. An API key with scopes needs `account`. */
    updateConsents(input?: UsersUpdateConsentsInput, options?: CallOptions): Call<Consents>;
  };

  preferences: {
    /** Get preferences. An API key with scopes needs `account`. */
    get(options?: CallOptions): Call<Preferences>;
    /** Update preferences. Reports go only to a verified address. Without `workspaces` and `tags`, they cover the workspace that the request is for. An API key with scopes needs `account`. */
    update(input?: PreferencesUpdateInput, options?: CallOptions): Call<Preferences>;
  };

  sessions: {
    /** List sessions. An API key with scopes needs `account`. */
    list(options?: CallOptions): Call<Session[]>;
    /** End a session. An API key with scopes needs `account`. */
    end(input: ById, options?: CallOptions): Call<Deleted>;
    /** End all sessions. Signs out everywhere, including the calling session unless `others` is true. API keys stay valid unless `keys` is true, and connected programs unless `connections` is true. An API key with scopes needs `account`. */
    endAll(input?: SessionsEndAllInput, options?: CallOptions): Call<SessionsEndAllOutput>;
  };

  domains: {
    /** List custom domains. Domains that other workspaces share are among them, with `owned` false: links can be created on them. Needs the Pro plan. An API key with scopes needs `domains`. */
    list(options?: CallOptions): Call<Domain[]>;
    /** Add a custom domain. Needs the Pro plan. An API key with scopes needs `domains`. */
    create(input: DomainsCreateInput, options?: CallOptions): Call<Domain>;
    /** Get a custom domain. Looks up the name servers but does not verify the domain. Shares the limit of sixty verifications a minute. An API key with scopes needs `domains`. */
    get(input: ById, options?: CallOptions): Call<DomainDetails>;
    /** Verify a custom domain. Looks up both records, at most sixty times a minute. The domain is verified if both are right; 409 if another account verified the name first. A HEAD request or a prefetch (`Sec-Purpose`) changes nothing. An API key with scopes needs `domains`. */
    verify(input: ById, options?: CallOptions): Call<DomainVerification>;
    /** Set up a custom domain. Only the given fields change; null clears them. Needs the Pro plan, except to clear them. Once the domain is verified, every node serves the change within a second. An API key with scopes needs `domains`. */
    update(input: DomainsUpdateInput, options?: CallOptions): Call<ChangedDomain>;
    /** Delete a custom domain. Its links are no longer served, but stay in the account with their clicks. If the account adds and verifies the name again, they are served again. 409 while the domain is shared and other workspaces have links on it: first set `shared_with` to []. An API key with scopes needs `domains`. */
    delete(input: ById, options?: CallOptions): Call<Deleted>;
  };

  keys: {
    /** Create an API key. A session must be from a sign-in within the last ten minutes. An API key can only create keys with at most its own scopes and expiry, which are also the defaults. Needs the Enterprise plan. An API key with scopes needs `keys`. */
    create(input?: KeysCreateInput, options?: CallOptions): Call<NewApiKey>;
    /** List API keys. Needs the Enterprise plan. An API key with scopes needs `keys`. */
    list(options?: CallOptions): Call<ApiKey[]>;
    /** Replace an API key. Creates a key with the same name, scopes and expiry. The old key keeps working for `overlap_hours`. The rules for creating a key apply. Needs the Enterprise plan. An API key with scopes needs `keys`. */
    rotate(input: KeysRotateInput, options?: CallOptions): Call<NewApiKey>;
    /** Revoke an API key. Needs the Enterprise plan. An API key with scopes needs `keys`. */
    delete(input: ById, options?: CallOptions): Call<Deleted>;
    /** List the account's API keys. Works on every plan. An API key with scopes needs `keys`. */
    listOwn(options?: CallOptions): Call<ApiKey[]>;
    /** Revoke one of the account's API keys. Works on every plan. An API key with scopes needs `keys`. */
    deleteOwn(input: ById, options?: CallOptions): Call<Deleted>;
  };

  account: {
    /** Export the account. Everything stored about the account, as of one moment: one JSON object per line, with its kind in `type`. An API key must have no scopes. Secrets such as passwords and keys are left out; only their hashes are stored. An API key with scopes needs `account`. */
    export(options?: CallOptions): FileCall;
    /** Delete the account. All sessions end, API keys are refused and links answer 410 at once. Signing in within seven days restores the account. After that, it is erased with everything in it. 403 while the personal workspace shares domains. Needs a session cookie from a sign-in within the last ten minutes. */
    delete(options?: CallOptions): Call<AccountDeleteOutput>;
  };

  identities: {
    /** List identities. An identity is a user's account at a sign-in provider. Signing in with another provider adds one. An API key with scopes needs `account`. */
    list(options?: CallOptions): Call<Identity[]>;
    /** Unlink an identity. The account's other sessions end, since one of them may have started with this identity. Needs a session cookie from a sign-in within the last ten minutes. */
    unlink(input: ById, options?: CallOptions): Call<Deleted>;
  };

  passkeys: {
    /** List passkeys. A passkey signs in with a fingerprint, a face or a PIN. The console adds them. An API key with scopes needs `account`. */
    list(options?: CallOptions): Call<Passkey[]>;
    /** Rename a passkey. An API key with scopes needs `account`. */
    rename(input: PasskeysRenameInput, options?: CallOptions): Call<Passkey>;
    /** Remove a passkey. The account's other sessions end, since one of them may have started with this passkey. Needs a session cookie from a sign-in within the last ten minutes. */
    remove(input: ById, options?: CallOptions): Call<Deleted>;
  };

  connections: {
    /** List connections. Programs that the user has allowed to act for the account. Works on every plan. An API key with scopes needs `account`. */
    list(options?: CallOptions): Call<Connection[]>;
    /** End a connection. The program loses access at once and must ask the user again. Works on every plan. An API key with scopes needs `account`. */
    delete(input: ById, options?: CallOptions): Call<Deleted>;
  };

  activity: {
    /** List the account's activity. Sign-ins, keys, programs, domains, webhooks, alerts, shared reports, plan, export and deletion: at most the last thousand entries, kept for a year. An API key with scopes needs `account`. */
    list(input?: ActivityListInput, options?: CallOptions): Pages<ActivityEntry>;
  };

  audit: {
    /** List the activity of the workspace. Who did what to what, when and from where: sign-ins, members, keys, domains, webhooks, pages, tags, and changes of links. The last 10,000 entries that match; with `format`, a file with all of them. Kept for a year unless the operator set ACTIVITY_DAYS, changes of links HISTORY_DAYS. An API key with scopes needs `webhooks`. */
    list(input?: AuditListInput, options?: CallOptions): Pages<LoggedActivity>;
    /** Export the activity of the workspace. All entries that match, as of one moment, newest first. The same as `GET /v1/activity` with `format`. An API key with scopes needs `webhooks`. */
    export(input?: AuditExportInput, options?: CallOptions): FileCall;
  };

  tags: {
    /** List tags. An account has at most 1,000 tags; all of them are returned. A tag stays even if no link has it any more. An API key with scopes needs `links:read`. */
    list(options?: CallOptions): Call<Tag[]>;
    /** Rename or merge a tag. Renames the tag on all its links. If there is already a tag of that name, the two are merged, with their alerts and shared reports: the answer is the other tag, and this tag's `id` is gone. The change of the links can be undone. An API key with scopes needs `links:write`. */
    rename(input: TagsRenameInput, options?: CallOptions): Call<RenamedTag>;
    /** Delete a tag. Takes the tag from all links, which stay. Alerts and shared reports for the tag are deleted with it. The change of the links can be undone. An API key with scopes needs `links:write`. */
    delete(input: ById, options?: CallOptions): Call<TagsDeleteOutput>;
  };

  webhooks: {
    /** Create a webhook. It receives events from now on. An account has at most 10 webhooks. Needs the Pro plan. An API key with scopes needs `webhooks`. */
    create(input: WebhooksCreateInput, options?: CallOptions): Call<NewWebhook>;
    /** List webhooks. An API key with scopes needs `webhooks`. */
    list(options?: CallOptions): Call<Webhook[]>;
    /** Get a webhook. An API key with scopes needs `webhooks`. */
    get(input: ById, options?: CallOptions): Call<Webhook>;
    /** Update a webhook. Only the given fields change. A failed delivery is retried at once. A webhook that is switched on again receives new events only; `replay` sends those it missed. Needs the Pro plan. An API key with scopes needs `webhooks`. */
    update(input: WebhooksUpdateInput, options?: CallOptions): Call<Webhook>;
    /** Delete a webhook. An API key with scopes needs `webhooks`. */
    delete(input: ById, options?: CallOptions): Call<Deleted>;
    /** Replace a webhook's secret. For `overlap_hours`, deliveries are signed with both the new secret and the old one. Needs the Pro plan. An API key with scopes needs `webhooks`. */
    rotate(input: WebhooksRotateInput, options?: CallOptions): Call<NewWebhook>;
    /** List deliveries of a webhook. Every attempt of the last 7 days. An API key with scopes needs `webhooks`. */
    deliveries(input: WebhooksDeliveriesInput, options?: CallOptions): Pages<WebhookDelivery>;
    /** Send events again. Every event since `from` is delivered again, in order, with its original `webhook-id`. Events are kept for 7 days, and only if a webhook of the account was subscribed to them at the time. Needs the Pro plan. An API key with scopes needs `webhooks`. */
    replay(input: WebhooksReplayInput, options?: CallOptions): Call<WebhooksReplayOutput>;
    /** Send a test event. Sends the event `webhook.test` at once, even to a webhook that is switched off, and waits up to ten seconds for the answer. It is not retried. Needs the Pro plan. An API key with scopes needs `webhooks`. */
    test(input: ById, options?: CallOptions): Call<WebhookDelivery>;
  };

  sharedReports: {
    /** Share a report. Anyone with the address can read the report without an account, until it expires or is revoked. It covers a link, a tag, or all links. An account has at most 100 shared reports. Needs the Pro plan. An API key with scopes needs `account`. */
    create(input?: SharedReportsCreateInput, options?: CallOptions): Call<NewSharedReport>;
    /** List shared reports. An API key with scopes needs `analytics:read`. */
    list(options?: CallOptions): Call<SharedReport[]>;
    /** Change or revoke a shared report. Only the given fields change. If the password changes, readers must enter the new one. Needs the Pro plan. An API key with scopes needs `account`. */
    update(input: SharedReportsUpdateInput, options?: CallOptions): Call<SharedReport>;
    /** Delete a shared report. Its address never works again. An API key with scopes needs `account`. */
    delete(input: ById, options?: CallOptions): Call<Deleted>;
  };

  alerts: {
    /** Create an alert. When it fires, webhooks receive the event `alert.fired`, once until its condition ends. It watches a link, a tag, or all links. An account has at most 100 alerts. Needs the Pro plan. An API key with scopes needs `webhooks`. */
    create(input: AlertsCreateInput, options?: CallOptions): Call<Alert>;
    /** List alerts. An API key with scopes needs `webhooks`. */
    list(options?: CallOptions): Call<Alert[]>;
    /** Update an alert. Only the given fields change. With a new threshold, or when switched on, it fires if its condition holds. Needs the Pro plan. An API key with scopes needs `webhooks`. */
    update(input: AlertsUpdateInput, options?: CallOptions): Call<Alert>;
    /** Delete an alert. An API key with scopes needs `webhooks`. */
    delete(input: ById, options?: CallOptions): Call<Deleted>;
  };

  workspaces: {
    /** List workspaces. A workspace owns links, domains and keys, and has members with roles. Everyone has a personal one. With an API key, the list has only the key's workspace. An API key with scopes needs `account`. */
    list(input?: WorkspacesListInput, options?: CallOptions): Call<Workspace[]>;
    /** Get a workspace. `id` may also be the slug. An API key with scopes needs `account`. */
    get(input: ById, options?: CallOptions): Call<Workspace>;
    /** Create a workspace. The caller becomes its owner. It has the plan that new accounts get. An API key with scopes needs `account`. */
    create(input: WorkspacesCreateInput, options?: CallOptions): Call<Workspace>;
    /** Change a workspace. An API key with scopes needs `members`. */
    update(input: WorkspacesUpdateInput, options?: CallOptions): Call<Workspace>;
    /** Delete a workspace. Its keys are refused and its links answer 410 at once. Until it is erased seven days later, its owner can restore it. The personal workspace is deleted with the account. 403 while it shares domains. Needs a session cookie from a sign-in within the last ten minutes. */
    delete(input: ById, options?: CallOptions): Call<Workspace>;
    /** Restore a deleted workspace. Needs a session cookie from a sign-in within the last ten minutes. */
    restore(input: ById, options?: CallOptions): Call<Workspace>;
    /** Offer the ownership to a member. Within seven days, the member accepts; the former owner then becomes an admin. Offering it to oneself withdraws an offer. Needs a session cookie from a sign-in within the last ten minutes. */
    transfer(input: WorkspacesTransferInput, options?: CallOptions): Call<Workspace>;
    /** Accept the ownership. Needs a session cookie from a sign-in within the last ten minutes. */
    acceptTransfer(input: ById, options?: CallOptions): Call<Workspace>;
    /** Decline the ownership, or withdraw the offer. For the member to whom it is offered, and for the owner. An API key with scopes needs `account`. */
    endTransfer(input: ById, options?: CallOptions): Call<Workspace>;
    /** Join a workspace. For people whose verified e-mail address is at one of the workspace's `join_domains`. An API key with scopes needs `account`. */
    join(input: ById, options?: CallOptions): Call<Workspace>;
  };

  members: {
    /** List members. An API key with scopes needs `members`. */
    list(options?: CallOptions): Call<Member[]>;
    /** Change a member's role. The role holds from the next request on, on every node. Nobody gives or takes a role above their own. An API key with scopes needs `members`. */
    update(input: MembersUpdateInput, options?: CallOptions): Call<Member>;
    /** Remove a member, or leave. Everyone may leave, except the owner; others are removed by admins. The person's API keys and connections in the workspace end at once, and their links stay. An API key with scopes needs `members`. */
    remove(input: MembersRemoveInput, options?: CallOptions): Call<MembersRemoveOutput>;
  };

  invitations: {
    /** List open invitations. An API key with scopes needs `members`. */
    list(options?: CallOptions): Call<Invitation[]>;
    /** Invite someone. The service mails it to `email`, at most three a day to one mailbox; or send the answer's `url` yourself. An invitation can be accepted once. A new one for the same address replaces the previous one. An API key with scopes needs `members`. */
    create(input: InvitationsCreateInput, options?: CallOptions): Call<NewInvitation>;
    /** Withdraw an invitation. An API key with scopes needs `members`. */
    withdraw(input: ById, options?: CallOptions): Call<Deleted>;
    /** Accept an invitation. `token` is the last part of the invitation's address. If the invitation names an e-mail address, it must be the caller's, and verified. An API key with scopes needs `account`. */
    accept(input: InvitationsAcceptInput, options?: CallOptions): Call<Workspace>;
  };
}

export interface Link {
  /** Identifier */
  id: string;
  /** Path part of the short URL */
  slug: string;
  /** Full short URL */
  shortUrl: string;
  /** Where the link leads */
  destination: string;
  /** Host that serves the link */
  domain: string;
  /** Title; null if there is none */
  title: string | null;
  /** Visits by people since the link was created */
  click_count: number;
  /** When a person last followed the link; null if never */
  last_click_at: string | null;
  /** Clicks imported from another service as a total only; not included in any other count */
  imported_clicks: number;
  /** Visits sent to `fallback_url`, which are not clicks */
  fallbacks: number;
  /** 1 if the link redirects, 0 if it answers 410 */
  is_active: 0 | 1;
  /** When the operator disabled the link, which answers 410 since; null if it is not disabled */
  disabled_at: string | null;
  /** Why the operator disabled the link */
  disabled_reason: string | null;
  /** Result of the last check of the destination; null if it was never checked */
  health: {
    /** broken: the page is missing or answers with an error; unreachable: the host does not answer; unknown: the site blocks our checks */
    status: HealthStatus;
    /** When the destination was last checked */
    checked_at: string;
    /** When the status was first found */
    since: string;
  } | null;
  /** When it was created */
  created_at: string;
  /** The person who made it, also after they left the workspace; null if unknown or erased */
  created_by: CreatedBy | null;
  /** When it was last changed */
  updated_at: string;
  /** Names of the link's tags, in alphabetical order */
  tags: string[];
  /** Private notes, which visitors never see */
  notes: string | null;
  /** Style of the link's QR code; null for a plain one */
  qr: {
    /** Colour of the modules */
    color: string;
    /** Background colour */
    background: string;
    /** Shape of the modules */
    dots: Dots;
    /** Shape of the three finder patterns */
    eyes: Eyes;
    /** Quiet zone in modules */
    margin: number;
    /** Error correction: 7, 15, 25 or 30 % */
    level: Level;
    /** Whether to show the account's logo, if it has one, in the middle */
    logo: boolean;
  } | null;
  /** Before this time the link answers 404; null if it works from its creation */
  starts_at: string | null;
  /** From this time on the link answers 410; null if it never expires */
  expires_at: string | null;
  /** Number of clicks after which the link stops working; null for no limit */
  click_limit: number | null;
  /** What chats and social networks show for the link; null for its destination's own preview */
  preview: {
    /** Title; null if there is none */
    title: string | null;
    /** Text below the title */
    description: string | null;
    /** Address of an image */
    image: string | null;
  } | null;
  /** Whether visitors have to enter a password */
  has_password: boolean;
  /** Other destinations by conditions, in order; empty if there are none */
  rules: Array<{
    /** Conditions that must all hold */
    when: LinkRuleWhen;
    /** Where it leads */
    url: string;
    /** Display name */
    name?: string | undefined;
  }>;
  /** Other destinations by the visitor's country; empty if there are none */
  geo_rules: Array<{
    /** ISO 3166-1 alpha-2 code, or "unknown" */
    country: string;
    /** Where it leads */
    url: string;
  }>;
  /** The destinations between which visitors are split; null if there is no test */
  ab_test: {
    /** The destinations, each with its weight */
    variants: Array<{
      /** Where it leads */
      url: string;
      /** The share of visitors is the weight divided by the sum of all weights */
      weight: number;
    }>;
  } | null;
  /** Where visitors are sent while the link does not work; null to answer 404 or 410 instead */
  fallback_url: string | null;
  /** The status of the redirect */
  redirect_status: RedirectStatus;
  /** Whether the path after the slug is appended to the destination's path */
  forward_path: boolean;
  /** How the visit's query is added to the destination's */
  forward_query: ForwardQuery;
}

export type HealthStatus = "ok" | "broken" | "unreachable" | "unknown";

export interface CreatedBy {
  /** Identifier */
  id: string;
  /** Display name */
  name: string;
}

export type Dots = "square" | "rounded" | "dots";

export type Eyes = "square" | "rounded" | "circle";

export type Level = "L" | "M" | "Q" | "H";

export interface LinkRuleWhen extends RuleConditions {
  /** Continents: AF, AN, AS, EU, NA, OC, SA */
  continent?: Array<"AF" | "AN" | "AS" | "EU" | "NA" | "OC" | "SA"> | undefined;
}

export interface RuleConditions {
  /** Countries */
  country?: string[] | undefined;
  /** BCP 47. Of all languages named in the link's rules, the visitor's best match (RFC 4647 lookup) must be among these */
  language?: string[] | undefined;
  /** Devices: desktop, mobile, tablet, tv, console, other */
  device?: string[] | undefined;
  /** Operating systems as analytics name them, such as iOS */
  os?: string[] | undefined;
  /** Browsers as analytics name them, such as Firefox */
  browser?: string[] | undefined;
  /** Hosts that the visitor comes from; a host covers its subdomains */
  referrer?: string[] | undefined;
  /** Parameters of the requested URL that must all match */
  query?: QueryCondition[] | undefined;
  /** CIDR blocks */
  ip?: string[] | undefined;
  /** From this time on */
  after?: string | undefined;
  /** Until this time */
  before?: string | undefined;
  /** Hours of the week */
  weekly?: WeeklyHours | undefined;
}

export interface QueryCondition {
  /** Name of the parameter */
  name: string;
  /** Without it, any value matches; null: the parameter must be missing */
  value?: string | null | undefined;
}

export interface WeeklyHours {
  /** IANA time zone */
  tz: string;
  /** Days on which the hours begin */
  days: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
  /** HH:MM */
  from: string;
  /** HH:MM, on the next day if not later than `from` */
  to: string;
}

export type RedirectStatus = 301 | 302 | 307 | 308;

export type ForwardQuery = "none" | "keep" | "override";

export interface Issue {
  /** Where in the input; empty for the whole request */
  path: Array<string | number>;
  /** What is wrong */
  code: IssueCode;
  /** The same in English, to be read after the field's name */
  message: string;
  /** The details of the code */
  params?: Record<string, string | number | boolean | Array<string | number>> | undefined;
}

export interface LinkChange {
  /** Id of the change; a creation has the id of its link */
  id: string;
  /** When it was changed */
  at: string;
  /** Who did it */
  by: {
    /** `admin` is the operator of the service; `system` another program, or unknown */
    kind: "key" | "session" | "admin" | "import" | "system";
    /** Name of the API key or person at the time */
    name: string | null;
  };
  /** `restore` brought a deleted link back; `disable` and `enable` are the operator's; `transfer` moved links between workspaces, whose ids are in `fields` */
  action: "create" | "update" | "delete" | "restore" | "disable" | "enable" | "transfer";
  /** Id of the link; null for a change of many links */
  link_id: string | null;
  /** The link's current or last slug; null for a change of many links */
  slug: string | null;
  /** How many links it changed */
  links: number;
  /** The old and new value of each changed field; for a change of many links, those of one of them */
  fields: Record<
    string,
    {
      /** Null if the link did not exist; a password is `***` */
      from: unknown;
      /** Null if the link no longer exists; a password is `***` */
      to: unknown;
    }
  >;
  /** The change that this one undid */
  undoes: string | null;
  /** The change that undid this one, unless it was undone as well */
  undone_by: string | null;
}

export interface Job {
  /** Identifier */
  id: string;
  /** What it does */
  kind: string;
  /** `waiting` until its turn, then `running`; `done`, `cancelled` and `failed` are final */
  status: "waiting" | "running" | "done" | "cancelled" | "failed";
  /** Links processed so far */
  done: number;
  /** Links to process */
  total: number;
  /** The outcome so far; missing until the first links are done, except for an import */
  result?:
    | {
        /** Links that still existed when their turn came */
        matched?: number | undefined;
        /** Links that were changed or deleted; with `dry_run`, those that would be */
        changed?: number | undefined;
        /** Links that were created; with `dry_run`, those that would be */
        created?: number | undefined;
        /** Links that the account had already */
        existing?: number | undefined;
        /** Links that were refused; the result file says why */
        refused?: number | undefined;
        /** Clicks that another service had counted for the created links */
        imported_clicks?: number | undefined;
        /** For an import, columns of the file, or members of its JSON, that are ignored */
        not_taken?: string[] | undefined;
      }
    | undefined;
  /** Why it failed or ended early; null if it did not */
  problem: string | null;
  /** Its change in the history, which can be undone; null if it has changed no link */
  change_id: string | null;
  /** The change that undid it; null if none did */
  undone_by: string | null;
  /** When it was created */
  created_at: string;
  /** When it ended; null until then. The job is deleted seven days later */
  ended_at: string | null;
}

export interface Bucket {
  /** Identifier */
  id: string;
  /** Display name */
  name: string;
  /** Path part of the short URL */
  slug: string;
  /** Full short URL of the page */
  shortUrl: string;
  /** The links in it, in order */
  links: Array<{
    /** Title; null if there is none */
    title: string;
    /** Where it leads */
    url: string;
  }>;
  /** A line of text under the name */
  description: string | null;
  /** Colour of the page as #rrggbb; null for a default colour */
  accent_color: string | null;
  /** Address of the page's image, a WebP of 256 by 256 pixels */
  avatar_url: string | null;
  /** Views of the page by people */
  views: number;
  /** Clicks by people on its links; mailto: and tel: are not counted */
  clicks: number;
  /** When the operator disabled the bucket, which answers 410 since; null if it is not disabled */
  disabled_at: string | null;
  /** Why the operator disabled the bucket */
  disabled_reason: string | null;
  /** When it was created */
  created_at: string;
  /** The person who made it, also after they left the workspace; null if unknown or erased */
  created_by: CreatedBy | null;
  /** When it was last changed */
  updated_at: string;
}

export interface Overview extends Report {
  /** True if the plan has no analytics: numbers are null and lists are empty */
  locked: boolean;
  /** Visits by people */
  clicks: number | null;
  /** A person's first click on a link each UTC day */
  visitors: number | null;
  /** Requests by programs, which are not clicks */
  bots: number | null;
}

export interface Report {
  /** Null if `from` was given */
  period: Period | null;
  /** Length of each row of the time series */
  granularity: Granularity;
  /** Time zone of the hours, days, weeks and months */
  timezone: string;
  /** Start, inclusive */
  from: string;
  /** End, exclusive */
  to: string;
  /** The previous window, if `compare` is true */
  previous: Previous | null;
  /** Ratios to the previous window, if `compare` is true */
  change: ChangeRatios | null;
  /** Clicks for each value (or pair of values) of `group_by`, most clicks first; null without `group_by` */
  groups: Group[] | null;
  /** The sum of the groups that are not listed; null without `group_by` */
  other_groups: OtherGroups | null;
  /** One row for each hour, day or month of the window */
  timeseries: TimeseriesRow[];
  /** Clicks by country, most clicks first */
  countries: Country[];
  /** Clicks by kind of device: "desktop", "mobile", "tablet", "tv", "console", "other" or "unknown" */
  devices: Device[];
  /** Clicks by browser, most clicks first */
  browsers: Browser[];
  /** Clicks by operating system, most clicks first */
  os: OperatingSystem[];
  /** The 100 with the most clicks, and "(other)" for all others */
  referrers: Referrer[];
  /** Clicks by channel, the kind of referrer: "search", "social", "mail", "assistant", "direct", "other"; "unknown" if raw clicks were deleted */
  channels: Channel[];
  /** Visits by bots, by kind and by the rule that identified them; they add up to `bots` */
  bots_by: BotKind[];
  /** The 100 with the most clicks, including deleted links */
  top_links: TopLink[];
}

export type Period = "24h" | "7d" | "30d" | "90d" | "1y" | "all";

export type Granularity = "hour" | "day" | "week" | "month";

export interface Previous {
  /** Start, inclusive */
  from: string;
  /** End, exclusive */
  to: string;
  /** Visits by people */
  clicks: number;
  /** A person's first click on a link each UTC day */
  visitors: number;
}

export interface ChangeRatios {
  /** 0.5 means 50 % more; null if there were none before */
  clicks: number | null;
  /** 0.5 means 50 % more; null if there were none before */
  visitors: number | null;
}

export interface Group {
  /** ISO 3166-1 alpha-2 code, or "unknown" */
  country?: string | undefined;
  /** AF, AN, AS, EU, NA, OC, SA or unknown */
  continent?: string | undefined;
  /** The visitor's region, the largest known part of the country; unknown otherwise */
  region?: string | undefined;
  /** The visitor's city, followed by its region or country; unknown otherwise */
  city?: string | undefined;
  /** The kind of device */
  device?: string | undefined;
  /** The visitor's browser, without version */
  browser?: string | undefined;
  /** The visitor's operating system, without version */
  os?: string | undefined;
  /** Host of the page the visitor came from, or "(direct)" */
  referrer?: string | undefined;
  /** The kind of referrer */
  channel?: string | undefined;
  /** The campaign's source; (none) or empty without it */
  utm_source?: string | undefined;
  /** The campaign's medium; (none) or empty without it */
  utm_medium?: string | undefined;
  /** The name of the campaign; (none) or empty without one */
  utm_campaign?: string | undefined;
  /** The campaign's keyword; (none) or empty without it */
  utm_term?: string | undefined;
  /** Tells links of the same campaign apart; (none) or empty without it */
  utm_content?: string | undefined;
  /** Identifier of the link */
  link_id?: string | undefined;
  /** The name of a tag; (none) for links without one */
  tag?: string | undefined;
  /** Host name */
  domain?: string | undefined;
  /** Position of the variant in its A/B test, from 1; (none) without a test */
  variant?: string | undefined;
  /** The kind of bot; empty for people */
  bot?: string | undefined;
  /** Visits by people */
  clicks: number;
  /** A person's first click on a link each UTC day */
  visitors: number;
  /** Its counts in the previous window, if `compare` is true */
  previous: {
    /** Visits by people */
    clicks: number;
    /** A person's first click on a link each UTC day */
    visitors: number;
  } | null;
}

export interface OtherGroups {
  /** Number of groups */
  groups: number;
  /** Visits by people */
  clicks: number;
  /** A person's first click on a link each UTC day */
  visitors: number;
}

export interface TimeseriesRow {
  /** Start of the row, inclusive */
  start: string;
  /** Visits by people */
  clicks: number;
  /** A person's first click on a link each UTC day */
  visitors: number;
}

export interface Country {
  /** ISO 3166-1 alpha-2 code, or "unknown" */
  country: string;
  /** Visits by people */
  clicks: number;
}

export interface Device {
  /** The kind of device */
  device: string;
  /** Visits by people */
  clicks: number;
}

export interface Browser {
  /** The visitor's browser, without version */
  browser: string;
  /** Visits by people */
  clicks: number;
}

export interface OperatingSystem {
  /** The visitor's operating system, without version */
  os: string;
  /** Visits by people */
  clicks: number;
}

export interface Referrer {
  /** Host of the page the visitor came from, or "(direct)" */
  referrer: string;
  /** Visits by people */
  clicks: number;
}

export interface Channel {
  /** The kind of referrer */
  channel: string;
  /** Visits by people */
  clicks: number;
}

export interface BotKind {
  /** The kind of bot, such as "search"; "unknown" if raw clicks were deleted */
  bot: string;
  /** The program named in the user agent, or what else identified the bot */
  rule: string;
  /** Visits by these bots */
  clicks: number;
}

export interface TopLink {
  /** Identifier */
  id: string;
  /** Path part of the short URL */
  slug: string;
  /** Host name */
  domain: string;
  /** Full short URL */
  shortUrl: string;
  /** Where the link leads */
  destination: string;
  /** Title; null if there is none */
  title: string | null;
  /** Visits by people */
  clicks: number;
}

export interface Click {
  /** Identifier */
  id: string;
  /** When the visit happened */
  timestamp: string;
  /** Identifier of the link */
  link_id: string;
  /** Path part of the short URL */
  slug: string;
  /** Full short URL */
  shortUrl: string;
  /** ISO 3166-1 alpha-2 code, or "unknown" */
  country: string;
  /** The kind of device */
  device: string;
  /** The visitor's browser, without version */
  browser: string;
  /** The visitor's operating system, without version */
  os: string;
  /** Host of the page the visitor came from, or "(direct)" */
  referrer: string;
  /** The kind of referrer */
  channel: string;
}

export interface LinkAnalytics extends Report {
  /** Always false */
  locked: false;
  /** Visits by people */
  clicks: number;
  /** A person's first click on a link each UTC day */
  visitors: number;
  /** Requests by programs, which are not clicks */
  bots: number;
  /** The link the report covers */
  link: Link;
  /** The variants of the link's A/B test, in order; empty if there is none */
  variants: Array<{
    /** Where it leads */
    url: string;
    /** The share of visitors is the weight divided by the sum of all weights */
    weight: number;
    /** Visits by people */
    clicks: number;
  }>;
}

export interface User {
  /** Identifier */
  id: string;
  /** The account's e-mail address */
  email: string;
  /** Display name */
  name: string;
  /** The account's plan */
  plan: Plan;
  /** The workspace of this request */
  workspace: CurrentWorkspace;
  /** Only present in an operator's session */
  operator?: true | undefined;
}

export type Plan = "free" | "pro" | "enterprise";

export interface CurrentWorkspace {
  /** Identifier */
  id: string;
  /** For the header `Terse-Workspace`; `personal` for the caller's own */
  slug: string;
  /** Display name */
  name: string;
  /** The caller's role in it */
  role: Role;
  /** Whether it is somebody's personal one */
  personal: boolean;
}

export type Role = "viewer" | "editor" | "admin" | "owner";

export interface Profile {
  /** Identifier */
  id: string;
  /** The account's e-mail address */
  email: string;
  /** Whether a sign-in provider or the operator has verified the address */
  email_verified: boolean;
  /** Display name */
  name: string;
  /** The account's plan */
  plan: Plan;
  /** What the user agreed to */
  consents: Consents;
  /** When it was created */
  created_at: string;
}

export interface Consents {
  /** Whether the account wants news by e-mail */
  marketing: boolean;
}

export interface PlanOverview {
  /** The account's plan, one of `plans` */
  plan: Plan;
  /** The account's usage; null while it is being measured (about a second per million links) */
  used: {
    /** Links in the account */
    links: number;
    /** Bytes used by links and buckets, including what is kept of deleted ones */
    stored_bytes: number;
  } | null;
  /** All plans of the service, from the smallest to the largest */
  plans: Array<{
    /** The plan's value in `plan` */
    name: Plan;
    /** The plan's display name */
    title: string;
    /** What the plan includes */
    features: Array<
      | "custom_domains"
      | "link_options"
      | "analytics"
      | "realtime"
      | "export"
      | "buckets"
      | "mcp"
      | "api_keys"
      | "webhooks"
    >;
    /** The plan's limits */
    limits: {
      /** Links that an account can create per minute */
      link_creations_per_minute: number;
      /** Links that an account can have; null for no limit */
      links: number | null;
      /** Megabytes (10^6 bytes) for links and buckets, including what is kept of deleted ones */
      stored_megabytes: number;
      /** Custom domains that an account can have */
      custom_domains: number;
      /** Members of a workspace, with open invitations; null for no limit */
      members: number | null;
      /** API keys that an account can have */
      api_keys: number;
      /** Links that a bucket can have */
      links_per_bucket: number;
    };
  }>;
}

export interface Preferences {
  /** Reports by mail */
  reports: {
    /** When a report comes: on Mondays or on the first of the month, at eight in `time_zone` */
    frequency: Frequency;
    /** Ids of at most 20 workspaces that it covers */
    workspaces: string[];
    /** Ids of at most 20 tags that it covers, of any workspace of the user */
    tags: string[];
  };
  /** Whether alerts, domains, webhooks and jobs send mail */
  notices: boolean;
  /** IANA time zone of reports; null means UTC */
  time_zone: string | null;
}

export type Frequency = "never" | "weekly" | "monthly";

export interface Session {
  /** Identifier */
  id: string;
  /** True for the session of this request */
  current: boolean;
  /** When it was created */
  created_at: string;
  /** Accurate to a minute; the session ends 14 days later unless it is used */
  last_seen_at: string;
  /** When the session ends at the latest */
  expires_at: string;
}

export interface Domain {
  /** Identifier */
  id: string;
  /** Host name in ASCII, lower case; international names in Punycode */
  domain: string;
  /** False for a domain that another workspace shares: links can be created on it, and its records and settings are left out */
  owned: boolean;
  /** Ids of the workspaces that may create links on it, or "everyone"; null if it is not owned */
  shared_with: "everyone" | string[] | null;
  /** pending until the records are found; failed if they were missing for 72 hours, or another account verified the name */
  status: "pending" | "verified" | "failed";
  /** The records to set: a TXT that proves ownership, and a CNAME, or A and AAAA for an apex, to the short-link host */
  dns: DnsRecord[];
  /** When it was created */
  created_at: string;
  /** When the domain was verified; null if it is not */
  verified_at: string | null;
  /** Where visits to the bare domain, without a slug, are sent */
  root_url: string | null;
  /** Where visits to unknown slugs are sent */
  not_found_url: string | null;
  /** Where visits to ended links are sent */
  expired_url: string | null;
  /** The service that is asked about unknown slugs */
  import_from: string | null;
  /** Number of links created from its answers */
  imported_links: number;
  /** Served at /.well-known/apple-app-site-association, in Apple's format; null for none */
  apple_app_site_association: Record<string, unknown> | null;
  /** Served at /.well-known/assetlinks.json, in the format of Digital Asset Links; null for none */
  assetlinks: Array<Record<string, unknown>> | null;
}

export interface DnsRecord {
  /** Type of the DNS record */
  type: DnsRecordType;
  /** Name of the DNS record */
  name: string;
  /** What to enter in the DNS record */
  value: string;
}

export type DnsRecordType = "TXT" | "CNAME" | "A" | "AAAA";

export interface DomainDetails extends Domain {
  /** The registered name that the domain belongs to, where its DNS records are usually set */
  zone: string;
  /** Up to ten name servers of the domain or its zone, which identify the DNS provider; null if no resolver answered */
  name_servers: string[] | null;
  /** Number of the account's links on the domain */
  links: number;
  /** Number of links of other workspaces on the domain; null if it is not owned */
  links_of_others: number | null;
}

export interface ChangedDomain extends Domain {
  /** If `shared_with` was given: number of links of other workspaces on the domain, which redirect whether or not it is still shared with them */
  links_of_others?: number | undefined;
}

export interface DomainVerification extends Domain {
  /** The results of this check, TXT record first */
  checks: Array<{
    /** Type of the DNS record */
    type: DnsRecordType;
    /** Name of the DNS record */
    name: string;
    /** The expected value; for A and AAAA, all addresses of the short-link host, any of which is enough */
    expected: string;
    /** What DNS returned, without non-public addresses; null if no resolver answered */
    found: string[] | null;
    /** Whether the record is as expected */
    ok: boolean;
  }>;
}

export interface NewApiKey extends ApiKey {
  /** The key itself, shown only once */
  key: string;
}

export interface ApiKey {
  /** Identifier */
  id: string;
  /** Display name */
  name: string;
  /** The first characters of the key, to recognise it by */
  prefix: string;
  /** What the key can do, within the plan */
  scopes: Scope[];
  /** When the key stops working; null if it does not expire */
  expires_at: string | null;
  /** When it was created */
  created_at: string;
  /** The person who made it, also after they left the workspace; null if unknown or erased */
  created_by: CreatedBy | null;
  /** When it was last used; null if never */
  last_used_at: string | null;
}

export type Scope =
  | "links:read"
  | "links:write"
  | "analytics:read"
  | "domains"
  | "buckets"
  | "keys"
  | "account"
  | "webhooks"
  | "members";

export interface Identity {
  /** Identifier */
  id: string;
  /** The provider's name in the service's settings */
  provider: string;
  /** The provider's issuer, such as https://accounts.google.com */
  issuer: string;
  /** When it was created */
  created_at: string;
}

export interface Passkey {
  /** Identifier */
  id: string;
  /** What its owner calls it */
  name: string;
  /** True if it is in a password manager that copies it to other devices */
  synced: boolean;
  /** When it was created */
  created_at: string;
  /** When it last signed in; null if it never did */
  last_used_at: string | null;
}

export interface Connection {
  /** Identifier */
  id: string;
  /** The program's own name for itself, unverified */
  client_name: string;
  /** The host that received the tokens; null for a program on the user's machine */
  client_host: string | null;
  /** The address its tokens are for: the MCP server's or the API's */
  resource: string;
  /** What the program can do, within the plan */
  scopes: Scope[];
  /** When it was created */
  created_at: string;
  /** Accurate to a minute */
  last_used_at: string | null;
  /** When the user must allow the program again */
  expires_at: string;
}

export interface ActivityEntry {
  /** Identifier */
  id: string;
  /** When it happened; the first time, if several times within an hour */
  at: string;
  /** What happened; /docs/activity explains each */
  action:
    | "signed_in"
    | "sign_in_refused"
    | "session_ended"
    | "sessions_ended"
    | "key_created"
    | "key_first_used"
    | "key_revoked"
    | "key_replaced"
    | "connection_made"
    | "connection_ended"
    | "connection_misused"
    | "identity_linked"
    | "identity_unlinked"
    | "passkey_added"
    | "passkey_renamed"
    | "passkey_removed"
    | "email_changed"
    | "plan_changed"
    | "suspended"
    | "resumed"
    | "link_enabled"
    | "link_deleted"
    | "link_disabled"
    | "directory_token_created"
    | "directory_token_revoked"
    | "directory_user_added"
    | "directory_user_activated"
    | "directory_user_deactivated"
    | "directory_user_removed"
    | "directory_group_added"
    | "directory_group_changed"
    | "directory_group_removed"
    | "group_refused"
    | "operator_granted"
    | "operator_revoked"
    | "webhook_created"
    | "webhook_changed"
    | "webhook_deleted"
    | "webhook_secret_replaced"
    | "webhook_replayed"
    | "webhook_tested"
    | "webhook_switched_off"
    | "alert_created"
    | "alert_changed"
    | "alert_deleted"
    | "report_shared"
    | "report_changed"
    | "report_revoked"
    | "domain_added"
    | "domain_verified"
    | "domain_failed"
    | "domain_changed"
    | "domain_deleted"
    | "domain_shared"
    | "domain_withdrawn"
    | "bucket_created"
    | "bucket_changed"
    | "bucket_deleted"
    | "tag_renamed"
    | "tag_deleted"
    | "consents_changed"
    | "preferences_changed"
    | "workspace_created"
    | "workspace_changed"
    | "member_added"
    | "member_changed"
    | "member_removed"
    | "invitation_created"
    | "invitation_withdrawn"
    | "ownership_offered"
    | "ownership_declined"
    | "ownership_transferred"
    | "exported"
    | "deletion_requested"
    | "deletion_revoked";
  /** How often it happened within an hour of `at` */
  count: number;
  /** Who did it */
  by: {
    /** How it was done; visitor: a person signing in; service: the service itself */
    kind: "session" | "key" | "visitor" | "operator" | "service";
    /** Id of the session or API key */
    id: string | null;
  };
  /** The key, program, host, name or plans concerned; /docs/activity says which */
  about: string | null;
  /** The client's address, shortened to a /24 (IPv4) or a /48 (IPv6) */
  network: string | null;
  /** Browser and system, or the program's name */
  client: string | null;
}

export interface LoggedActivity {
  /** Identifier */
  id: string;
  /** When it happened; the first time, if several times within an hour */
  at: string;
  /** Who did it */
  actor: {
    /** `visitor` was signing in; `operator` and `service` are those of this service */
    kind: "user" | "key" | "visitor" | "operator" | "service";
    /** Id of the person or API key */
    id: string | null;
    /** Name of the person or API key at the time */
    name: string | null;
    /** Id of the person, also of the one who used a key, if known */
    user_id: string | null;
    /** Id of the person's session */
    session_id: string | null;
  };
  /** What happened; /docs/activity explains each */
  action: Action;
  /** What it was done to */
  target: {
    /** Such as `link`, `key`, `domain`, `webhook`, `user` or `workspace` */
    kind: string;
    /** Null for several links, and if it was not recorded */
    id: string | null;
    /** Its name at the time; of a link, the slug */
    name: string | null;
  };
  /** The client's address, shortened to a /24 (IPv4) or a /48 (IPv6); links are created without it */
  address: string | null;
  /** More about it, and what was changed */
  details: {
    /** More about it in one line; /docs/activity says what */
    about: string | null;
    /** Browser and system, or the program's name */
    client: string | null;
    /** How often it happened within an hour of `at`, or how many links it changed */
    count: number;
    /** The old and new value of each changed field, long ones shortened; secrets are `***` */
    fields: Record<
      string,
      {
        /** Start, inclusive */
        from: unknown;
        /** End, exclusive */
        to: unknown;
      }
    >;
  };
  /** SHA-256 of the recorded entry before this one in the workspace; null for changes of links, which are in their history */
  previous_hash: string | null;
}

export type Action =
  | "signed_in"
  | "sign_in_refused"
  | "session_ended"
  | "sessions_ended"
  | "key_created"
  | "key_first_used"
  | "key_revoked"
  | "key_replaced"
  | "connection_made"
  | "connection_ended"
  | "connection_misused"
  | "identity_linked"
  | "identity_unlinked"
  | "passkey_added"
  | "passkey_renamed"
  | "passkey_removed"
  | "email_changed"
  | "plan_changed"
  | "suspended"
  | "resumed"
  | "link_enabled"
  | "link_deleted"
  | "link_disabled"
  | "directory_token_created"
  | "directory_token_revoked"
  | "directory_user_added"
  | "directory_user_activated"
  | "directory_user_deactivated"
  | "directory_user_removed"
  | "directory_group_added"
  | "directory_group_changed"
  | "directory_group_removed"
  | "group_refused"
  | "operator_granted"
  | "operator_revoked"
  | "webhook_created"
  | "webhook_changed"
  | "webhook_deleted"
  | "webhook_secret_replaced"
  | "webhook_replayed"
  | "webhook_tested"
  | "webhook_switched_off"
  | "alert_created"
  | "alert_changed"
  | "alert_deleted"
  | "report_shared"
  | "report_changed"
  | "report_revoked"
  | "domain_added"
  | "domain_verified"
  | "domain_failed"
  | "domain_changed"
  | "domain_deleted"
  | "domain_shared"
  | "domain_withdrawn"
  | "bucket_created"
  | "bucket_changed"
  | "bucket_deleted"
  | "tag_renamed"
  | "tag_deleted"
  | "consents_changed"
  | "preferences_changed"
  | "workspace_created"
  | "workspace_changed"
  | "member_added"
  | "member_changed"
  | "member_removed"
  | "invitation_created"
  | "invitation_withdrawn"
  | "ownership_offered"
  | "ownership_declined"
  | "ownership_transferred"
  | "exported"
  | "deletion_requested"
  | "deletion_revoked"
  | "link_created"
  | "link_changed"
  | "link_restored"
  | "link_moved";

export interface Tag {
  /** Identifier */
  id: string;
  /** Display name */
  name: string;
  /** Number of links with the tag */
  links: number;
}

export interface RenamedTag {
  /** Identifier */
  id: string;
  /** Display name */
  name: string;
  /** Number of links with the tag */
  links: number;
  /** The change of the links, which can be undone; null if none changed, or too many to be recorded */
  change_id: string | null;
}

export interface NewWebhook extends Webhook {
  /** The signing key, shown only once */
  secret: string;
}

export interface Webhook {
  /** Identifier */
  id: string;
  /** Where events are sent */
  url: string;
  /** The events it receives */
  events: WebhookEvent[];
  /** False if it was switched off, by its owner or after three days of failures */
  active: boolean;
  /** Why the service switched it off; null if its owner did, or if it is active */
  inactive_reason: string | null;
  /** Since when deliveries have failed; null if the last one succeeded */
  failing_since: string | null;
  /** When the failed delivery is retried; null if none failed */
  next_attempt_at: string | null;
  /** When it was created */
  created_at: string;
  /** The person who made it, also after they left the workspace; null if unknown or erased */
  created_by: CreatedBy | null;
  /** When it was last changed */
  updated_at: string;
}

export type WebhookEvent =
  | "link.created"
  | "link.updated"
  | "link.deleted"
  | "link.clicked"
  | "link.limit_reached"
  | "link.unhealthy"
  | "link.healthy"
  | "alert.fired"
  | "domain.verified"
  | "domain.failed"
  | "activity.created";

export interface WebhookDelivery {
  /** Identifier */
  id: string;
  /** The webhook-id header: the same for every attempt to deliver an event */
  event_id: string;
  /** Type of the event */
  event:
    | "link.created"
    | "link.updated"
    | "link.deleted"
    | "link.clicked"
    | "link.limit_reached"
    | "link.unhealthy"
    | "link.healthy"
    | "alert.fired"
    | "domain.verified"
    | "domain.failed"
    | "activity.created"
    | "webhook.test";
  /** When it was sent */
  at: string;
  /** 1 for the first attempt */
  attempt: number;
  /** True if the answer had a 2xx status */
  ok: boolean;
  /** Status of the answer; null if there was none */
  status: number | null;
  /** Milliseconds until the answer */
  duration_ms: number;
  /** Why there was no answer */
  failure: string | null;
  /** The first thousand characters of the answer */
  answer: string | null;
}

export interface NewSharedReport extends SharedReport {
  /** The secret address, shown only once */
  url: string;
}

export interface SharedReport {
  /** Identifier */
  id: string;
  /** The heading of the report */
  name: string;
  /** The link it covers; null for a tag or all links */
  link_id: string | null;
  /** The tag it covers; null for a link or all links */
  tag: string | null;
  /** Whether readers have to enter a password */
  has_password: boolean;
  /** False once it is revoked */
  active: boolean;
  /** When it was created */
  created_at: string;
  /** When the address stops working */
  expires_at: string;
  /** When it was last read, accurate to a minute */
  last_opened_at: string | null;
}

export interface Alert {
  /** Identifier */
  id: string;
  /** Name of the alert */
  name: string;
  /** What it watches for */
  kind: "silence" | "surge";
  /** The link it watches; null for a tag or all links */
  link_id: string | null;
  /** The tag it watches; null for a link or all links */
  tag: string | null;
  /** For silence: hours without a click until it fires; null for a surge */
  hours: number | null;
  /** For surge: fires at this multiple of the usual clicks; null for silence */
  factor: number | null;
  /** False if it is switched off */
  active: boolean;
  /** When it last fired; null if it never did */
  fired_at: string | null;
  /** When it was created */
  created_at: string;
}

export interface Workspace extends CurrentWorkspace {
  /** The account's plan */
  plan: Plan;
  /** Number of members */
  members: number;
  /** When it was created */
  created_at: string;
  /** When it is erased, if it was deleted */
  deletes_at: string | null;
  /** People with a verified address at one of these domains may join, with that role */
  join_domains: Array<{
    /** Host name */
    domain: string;
    /** The role in the workspace, which decides what its member may do */
    role: Role;
  }>;
  /** The member to whom the owner offers the workspace */
  offered_to: string | null;
}

export interface Member {
  /** Identifier of the person */
  user_id: string;
  /** Display name */
  name: string;
  /** The account's e-mail address */
  email: string;
  /** The role in the workspace, which decides what its member may do */
  role: Role;
  /** How the person became a member */
  via: "creation" | "invitation" | "domain" | "group" | "scim";
  /** When the person became a member */
  joined_at: string;
  /** When a session of the person was last used */
  last_seen_at: string | null;
}

export interface Invitation {
  /** Identifier */
  id: string;
  /** Null: whoever has the link, once */
  email: string | null;
  /** The role in the workspace, which decides what its member may do */
  role: Role;
  /** Who invited; null if the person is gone */
  invited_by: CreatedBy | null;
  /** When it was created */
  created_at: string;
  /** From this time on the link answers 410; null if it never expires */
  expires_at: string;
}

export interface NewInvitation extends Invitation {
  /** The page that accepts it, shown only once */
  url: string;
}

/** `/docs/errors` explains each code */
export type IssueCode =
  | "required"
  | "wrong_type"
  | "invalid_choice"
  | "invalid_format"
  | "too_long"
  | "too_short"
  | "too_many"
  | "too_few"
  | "too_large"
  | "too_small"
  | "unknown_field"
  | "duplicate"
  | "control_characters"
  | "half_character"
  | "nothing_visible"
  | "masked"
  | "excluded"
  | "needs"
  | "ambiguous"
  | "either_of"
  | "too_early"
  | "too_late"
  | "clicks_dropped"
  | "too_much_data"
  | "invalid"
  | "invalid_url"
  | "invalid_image"
  | "invalid_file"
  | "low_contrast"
  | "invalid_domain"
  | "domain_unverified"
  | "domain_taken"
  | "invalid_slug"
  | "slug_taken"
  | "slug_reserved"
  | "plan_required"
  | "scope_required"
  | "role_required"
  | "sign_in_again"
  | "credential_refused"
  | "exceeds_credential"
  | "unauthenticated"
  | "forbidden"
  | "passkey_refused"
  | "last_sign_in"
  | "inactive"
  | "disabled"
  | "limit_reached"
  | "not_found"
  | "method_not_allowed"
  | "cannot_undo"
  | "stopped"
  | "concurrent_change"
  | "conflict"
  | "already_replaced"
  | "changed_meanwhile"
  | "blocked"
  | "loop"
  | "expired"
  | "body_too_large"
  | "wrong_media_type"
  | "in_progress"
  | "key_reused"
  | "answer_lost"
  | "database_in_use"
  | "database_not_empty"
  | "interrupted"
  | "file_exists"
  | "unprocessable"
  | "rate_limited"
  | "internal"
  | "busy"
  | "took_too_long"
  | "unavailable";

export interface LinksCreateInput extends LinkOptions {
  /** Absolute http or https URL */
  url: string;
  /** Letters, digits, emoji, "-" and "_", at most 64; case-sensitive */
  slug?: string | undefined;
  /** Title; null if there is none */
  title?: string | null | undefined;
  /** Names of tags; new ones are created */
  tags?: string[] | null | undefined;
  /** Private notes */
  notes?: string | null | undefined;
  /** A verified custom domain of the account. Needs the Pro plan */
  domain?: string | undefined;
}

export interface LinkOptions {
  /** Style of the link's QR code; null for a plain one */
  qr?: Qr | null | undefined;
  /** 0 makes the link answer 410 */
  is_active?: 0 | 1 | boolean | undefined;
  /** Before this time the link answers 404; null if it works from its creation */
  starts_at?: string | null | undefined;
  /** From this time on the link answers 410; null if it never expires */
  expires_at?: string | null | undefined;
  /** Number of clicks after which the link stops working; null for no limit */
  click_limit?: number | null | undefined;
  /** What chats and social networks show for the link; null for its destination's own preview */
  preview?: Preview | null | undefined;
  /** What visitors have to enter; null removes it */
  password?: string | null | undefined;
  /** Other destinations by conditions, in order; empty if there are none */
  rules?: Rule[] | null | undefined;
  /** Other destinations by the visitor's country; empty if there are none */
  geo_rules?: GeoRule[] | null | undefined;
  /** The destinations between which visitors are split; null if there is no test */
  ab_test?: AbTest | null | undefined;
  /** Where visitors are sent while the link does not work; null to answer 404 or 410 instead */
  fallback_url?: string | null | undefined;
  /** The status of the redirect */
  redirect_status?: RedirectStatus | null | undefined;
  /** Whether the path after the slug is appended to the destination's path */
  forward_path?: boolean | null | undefined;
  /** How the visit's query is added to the destination's */
  forward_query?: ForwardQuery | null | undefined;
}

export interface Qr {
  /** Colour of the modules */
  color?: string | undefined;
  /** Background colour; must be much lighter than color */
  background?: string | undefined;
  /** Shape of the modules: squares, squares whose free corners are round, or circles */
  dots?: Dots | undefined;
  /** Shape of the three finder patterns */
  eyes?: Eyes | undefined;
  /** Quiet zone in modules; some scanners fail with less than 4 */
  margin?: number | undefined;
  /** Error correction: 7, 15, 25 or 30 %; with a logo always H */
  level?: Level | undefined;
  /** Puts the account's logo in the middle */
  logo?: boolean | undefined;
}

export interface Preview {
  /** Title; null if there is none */
  title?: string | null | undefined;
  /** Text below the title */
  description?: string | null | undefined;
  /** Absolute http or https URL of an image, best 1200 by 630 pixels */
  image?: string | null | undefined;
}

export interface Rule {
  /** Conditions that must all hold */
  when: When;
  /** Absolute http or https URL */
  url: string;
  /** A name for yourself; visitors do not see it */
  name?: string | undefined;
}

export interface When extends RuleConditions {
  /** Continents: AF, AN, AS, EU, NA, OC, SA */
  continent?: string[] | undefined;
}

export interface GeoRule {
  /** ISO 3166-1 alpha-2 */
  country: string;
  /** Absolute http or https URL */
  url: string;
}

export interface AbTest {
  /** 2 to 4 destinations, each with its weight */
  variants: Array<{
    /** Absolute http or https URL */
    url: string;
    /** Share of visitors, relative to the other weights */
    weight: number;
  }>;
}

export interface LinksListInput extends LinkFilters {
  /** Page number, from 1 */
  page?: number | undefined;
  /** Links per page */
  limit?: number | undefined;
  /** Order of the links; a minus sign means descending. Slugs sort by code point; links without a click sort as if clicked long ago */
  sort?: LinkSort | undefined;
}

export interface LinkFilters {
  /** Part of the slug, title or destination, case-insensitive, or a short URL; no character has a special meaning */
  search?: string | undefined;
  /** Links served on this host */
  domain?: string | undefined;
  /** Every link is in one state: inactive if it is switched off or disabled by the operator; otherwise scheduled before its starts_at, expired after its expires_at, used_up once it has reached its click_limit, or active */
  state?: "active" | "inactive" | "scheduled" | "expired" | "used_up" | undefined;
  /** Links with a password, with rules (rules or geo_rules), with an A/B test, with their own preview, or with a click_limit */
  has?: "password" | "rules" | "ab_test" | "preview" | "limit" | undefined;
  /** Links with this tag; if repeated, with all of the tags */
  tag?: string | string[] | undefined;
  /** Links by the result of their destination's last check */
  health?: HealthStatus | undefined;
  /** Links made by the caller (me), by people who have left the workspace (left), or by the person with this id */
  created_by?: string | undefined;
  /** Links created at this time or later */
  created_from?: string | undefined;
  /** Links created before this time */
  created_to?: string | undefined;
  /** Links without a click since this time, including those never clicked */
  last_click_before?: string | undefined;
}

export type LinkSort =
  | "created_at"
  | "-created_at"
  | "updated_at"
  | "-updated_at"
  | "click_count"
  | "-click_count"
  | "last_click_at"
  | "-last_click_at"
  | "slug"
  | "-slug";

export interface LinksAvailabilityInput {
  /** The slug to check */
  slug: string;
  /** A verified custom domain of the account, which needs the Pro plan; default: the service's own host */
  domain?: string | undefined;
}

export interface LinksAvailabilityOutput {
  /** As it would be stored: in Unicode normalization form C */
  slug: string;
  /** Host name */
  domain: string;
  /** The short URL the link would have; null if the slug is not valid */
  shortUrl: string | null;
  /** True if the slug is valid and not taken */
  available: boolean;
  /** The error that creating the link would return; null if none */
  reason: string | null;
  /** The same as data; empty if the slug is available */
  issues: Issue[];
}

export interface LinksExportInput extends LinkFilters {
  /** csv is RFC 4180; json is an array */
  format?: "csv" | "json" | undefined;
  /** Begins CSV with a byte-order mark, so that spreadsheets read it as UTF-8 */
  bom?: boolean | undefined;
  /** Order of the links; a minus sign means descending. Slugs sort by code point; links without a click sort as if clicked long ago */
  sort?: LinkSort | undefined;
}

export interface ById {
  /** Identifier */
  id: string;
}

export interface LinksLocateInput {
  /** Id, slug or short URL of the link */
  id: string;
}

export interface LinksUpdateInput extends LinkChanges {
  /** Identifier */
  id: string;
  /** Letters, digits, emoji, "-" and "_", at most 64; case-sensitive */
  slug?: string | undefined;
  /** Used as url if that is missing */
  destination?: string | undefined;
}

export interface LinkChanges extends LinkOptions {
  /** Absolute http or https URL */
  url?: string | undefined;
  /** null clears it */
  title?: string | null | undefined;
  /** null clears them */
  notes?: string | null | undefined;
  /** Replaces the link's tags; new ones are created. null or an empty list clears them */
  tags?: string[] | null | undefined;
  /** Hands the link over to the member with this id; null changes nothing */
  created_by?: null | string | ById | undefined;
}

export interface Deleted {
  /** Identifier */
  id: string;
  /** Always true */
  deleted: true;
}

export interface LinksBulkCreateInput {
  /** Each as for creating a single link */
  links: LinksCreateInput[];
  /** If a link is refused: `continue` creates the others, `stop` creates none */
  on_error: "continue" | "stop";
  /** Checks everything and changes nothing */
  dry_run?: boolean | undefined;
}

export interface LinksBulkCreateOutput {
  /** Links that were created; with `dry_run`, those that would be */
  created: number;
  /** Links that were refused */
  failed: number;
  /** If links were refused because of a limit: seconds until they can be sent again */
  retry_after?: number | undefined;
  /** One per link, in the same order */
  results: Array<{
    /** Index in `links`, from 0 */
    index: number;
    /** The new link; if `status` is 409, the account's identical link */
    id?: string | undefined;
    /** Path part of the short URL */
    slug?: string | undefined;
    /** Full short URL */
    short_url?: string | undefined;
    /** The HTTP status, as if this link alone had been created, if it is an error */
    status?: number | undefined;
    /** Why the link was not created */
    error?: string | undefined;
    /** The same as `error`, as data: all that is wrong */
    issues?: Issue[] | undefined;
  }>;
}

export interface LinksBulkUpdateInput {
  /** Identifiers of links */
  ids?: string[] | undefined;
  /** Instead of ids: all links that match these filters of the list now; without a condition, all links of the account */
  filter?: LinkFilters | undefined;
  /** The changes, as in the update of one link */
  set?: LinkChanges | undefined;
  /** Tags to add; new ones are created */
  add_tags?: string[] | undefined;
  /** Tags to remove */
  remove_tags?: string[] | undefined;
  /** Checks everything and changes nothing */
  dry_run?: boolean | undefined;
}

export interface ChangedLinks {
  /** How many of the ids are links of the account */
  matched: number;
  /** Links that were changed; with `dry_run`, those that would be */
  changed: number;
  /** The change, which can be undone; null if nothing was changed */
  change_id: string | null;
  /** The ids that were not changed */
  results: Array<{
    /** Identifier */
    id: string;
    /** The HTTP status, as if this link alone had been changed */
    status: number;
    /** Why the link was not changed */
    error: string;
    /** The same as `error`, as data: all that is wrong */
    issues?: Issue[] | undefined;
  }>;
}

export interface StartedJob {
  /** The job that does the work; GET /v1/jobs/{id} shows its progress */
  job_id: string;
}

export interface LinksBulkDeleteInput {
  /** Identifiers of links */
  ids?: string[] | undefined;
  /** Instead of ids: all links that match these filters of the list now; without a condition, all links of the account */
  filter?: LinkFilters | undefined;
  /** Checks everything and changes nothing */
  dry_run?: boolean | undefined;
}

export interface LinksTransferInput {
  /** Identifiers of links */
  ids?: string[] | undefined;
  /** Instead of ids: all links that match these filters of the list now; without a condition, all links of the account */
  filter?: LinkFilters | undefined;
  /** Id or slug of the workspace that gets the links */
  workspace: string;
  /** Checks everything and changes nothing */
  dry_run?: boolean | undefined;
}

export interface LinksHistoryInput {
  /** Identifier */
  id: string;
  /** Page number, from 1 */
  page?: number | undefined;
  /** Changes per page */
  limit?: number | undefined;
}

export interface LinksQrInput {
  /** Identifier */
  id: string;
  /** Format of the image */
  format?: "svg" | "png" | undefined;
  /** Width and height in pixels. Default: the smallest size from 256 with a whole number of pixels per module */
  size?: number | undefined;
  /** Quiet zone in modules; some scanners fail with less than 4 */
  margin?: number | undefined;
  /** Colour of the modules */
  color?: string | undefined;
  /** Background colour; must be much lighter than color */
  background?: string | undefined;
  /** Error correction: 7, 15, 25 or 30 %; with a logo always H */
  level?: Level | undefined;
  /** Shape of the modules: squares, squares whose free corners are round, or circles */
  dots?: Dots | undefined;
  /** Shape of the three finder patterns */
  eyes?: Eyes | undefined;
  /** Puts the account's logo in the middle */
  logo?: boolean | undefined;
}

export interface LinksQrLogoOutput {
  /** Null if the account has none */
  logo: {
    /** Pixels */
    width: number;
    /** Pixels */
    height: number;
    /** The image as PNG, in Base64 */
    png: string;
  } | null;
}

export interface LinksSetQrLogoInput {
  /** The file: image/png, image/jpeg, image/webp */
  image: string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
}

export interface LinksSetQrLogoOutput {
  /** Pixels */
  width: number;
  /** Pixels */
  height: number;
}

export interface LinksDeleteQrLogoOutput {
  /** Always true */
  deleted: true;
}

export interface LinksExplainInput {
  /** Identifier */
  id: string;
  /** ISO 3166-1 alpha-2 */
  country?: string | undefined;
  /** Time of the visit; default: now */
  at?: string | undefined;
  /** Path after the slug in the requested short URL, such as /a/b */
  path?: string | undefined;
  /** Without it, the visitor is assumed to be a person */
  user_agent?: string | undefined;
  /** The visitor's Accept-Language header, such as de-AT,de;q=0.9, or a single language */
  language?: string | undefined;
  /** URL or host of the page the visitor comes from */
  referrer?: string | undefined;
  /** Query of the requested short URL, such as utm_source=mail */
  query?: string | undefined;
  /** The visitor's address, which also determines the country if that is missing */
  ip?: string | undefined;
  /** Value of the visitor's cookie terse_visitor, which decides the variant of an A/B test */
  visitor?: string | undefined;
  /** Whether the visitor has entered the link's password */
  unlocked?: boolean | undefined;
}

export interface LinksExplainOutput {
  /** Time of the visit */
  at: string;
  /** What the visitor gets */
  outcome: "redirect" | "link_preview" | "password" | "gone" | "not_found";
  /** The status of a GET */
  status: 200 | 301 | 302 | 307 | 308 | 404 | 410;
  /** The rule that decided; rules are evaluated in this order */
  rule:
    | "blocked"
    | "disabled"
    | "inactive"
    | "scheduled"
    | "expired"
    | "used_up"
    | "preview"
    | "password"
    | "rules"
    | "geo"
    | "ab_test"
    | "fallback"
    | "redirect_status"
    | "forward_path"
    | "forward_query"
    | "destination";
  /** Where the visit leads, including what the link forwards; null if nowhere, or if it depends on the visitor */
  location: string | null;
  /** If an A/B test decided: each variant's share of visitors, adding up to 1 */
  variants: Array<{
    /** Where it leads */
    url: string;
    /** The share of visitors is the weight divided by the sum of all weights */
    weight: number;
    /** Share of the visitors, 0 to 1 */
    share: number;
  }> | null;
  /** A visit sent to the fallback URL counts as a fallback, or not at all if it is a bot's */
  would_count: "click" | "bot" | "fallback" | null;
  /** The explanation in sentences, one for each rule */
  reasons: string[];
  /** The reasons as data, for translations */
  steps: Array<{
    /** What was decided */
    code:
      | "blocked"
      | "disabled"
      | "switched_on"
      | "switched_off"
      | "started"
      | "not_started"
      | "never_expires"
      | "not_expired"
      | "expired"
      | "clicks_left"
      | "used_up"
      | "fallback_unused"
      | "fallback"
      | "preview_unused"
      | "preview"
      | "password_given"
      | "password"
      | "rule_skipped"
      | "rule"
      | "country_unknown"
      | "no_country_rule"
      | "country_rule"
      | "ab_test"
      | "ab_variant"
      | "status"
      | "path_not_forwarded"
      | "path_refused"
      | "path_added"
      | "query_too_long"
      | "query_added"
      | "destination"
      | "counts_click"
      | "counts_bot"
      | "counts_fallback"
      | "counts_nothing";
    /** The details of the code */
    params?: Record<string, string | number> | undefined;
  }>;
}

export interface LinksExplainDraftInput {
  /** The link to change: fields missing from the draft stay as they are */
  id?: string | undefined;
  /** The fields of a link as they would be sent to create it, or to update it */
  draft: {
    /** Needed, unless id is given */
    url?: string | undefined;
    /** Accepted so that the body of a creation can be sent as is; has no effect */
    slug?: string | undefined;
    /** Accepted so that the body of a creation can be sent as is; has no effect */
    title?: string | null | undefined;
    /** Accepted so that the body of a creation can be sent as is; has no effect */
    tags?: string[] | null | undefined;
    /** Accepted so that the body of a creation can be sent as is; has no effect */
    notes?: string | null | undefined;
    /** Accepted so that the body of a creation can be sent as is; has no effect */
    qr?: Qr | null | undefined;
    /** Accepted so that the body of a creation can be sent as is; has no effect */
    domain?: string | undefined;
    /** 0 makes the link answer 410 */
    is_active?: 0 | 1 | boolean | undefined;
    /** Before this time the link answers 404; null if it works from its creation */
    starts_at?: string | null | undefined;
    /** From this time on the link answers 410; null if it never expires */
    expires_at?: string | null | undefined;
    /** Number of clicks after which the link stops working; null for no limit */
    click_limit?: number | null | undefined;
    /** What chats and social networks show for the link; null for its destination's own preview */
    preview?: Preview | null | undefined;
    /** What visitors have to enter; null removes it */
    password?: string | null | undefined;
    /** Other destinations by conditions, in order; empty if there are none */
    rules?: Rule[] | null | undefined;
    /** Other destinations by the visitor's country; empty if there are none */
    geo_rules?: GeoRule[] | null | undefined;
    /** The destinations between which visitors are split; null if there is no test */
    ab_test?: AbTest | null | undefined;
    /** Where visitors are sent while the link does not work; null to answer 404 or 410 instead */
    fallback_url?: string | null | undefined;
    /** The status of the redirect */
    redirect_status?: RedirectStatus | null | undefined;
    /** Whether the path after the slug is appended to the destination's path */
    forward_path?: boolean | null | undefined;
    /** How the visit's query is added to the destination's */
    forward_query?: ForwardQuery | null | undefined;
  };
  /** The visits to explain; default: one visitor with nothing known about them */
  visits?:
    | Array<{
        /** ISO 3166-1 alpha-2 */
        country?: string | undefined;
        /** Time of the visit; default: now */
        at?: string | undefined;
        /** Path after the slug in the requested short URL, such as /a/b */
        path?: string | undefined;
        /** Without it, the visitor is assumed to be a person */
        user_agent?: string | undefined;
        /** The visitor's Accept-Language header, such as de-AT,de;q=0.9, or a single language */
        language?: string | undefined;
        /** URL or host of the page the visitor comes from */
        referrer?: string | undefined;
        /** Query of the requested short URL, such as utm_source=mail */
        query?: string | undefined;
        /** The visitor's address, which also determines the country if that is missing */
        ip?: string | undefined;
        /** Whether the visitor has entered the link's password */
        unlocked?: boolean | undefined;
      }>
    | undefined;
}

export interface LinksExplainDraftOutput {
  /** In the order of the request */
  visits: LinksExplainOutput[];
}

export interface ChangesListInput {
  /** Page number, from 1 */
  page?: number | undefined;
  /** Changes per page */
  limit?: number | undefined;
}

export interface ImportsCreateInput {
  /** The service that exported the file, usually recognised by its columns. `list`: any other file */
  source?:
    | "bitly"
    | "dub"
    | "kutt"
    | "short.io"
    | "rebrandly"
    | "shlink"
    | "yourls"
    | "sink"
    | "terse"
    | "list"
    | undefined;
  /** The domain for all links, whatever the file says: the service's own host, or a verified custom domain of the account, which needs the Pro plan. By default, the domain named in the file */
  domain?: string | undefined;
  /** Names of the columns in order, for a file without a header or instead of its header; "-" skips one */
  columns?: string[] | undefined;
  /** Checks every row and creates nothing */
  dry_run?: boolean | undefined;
  /** The file: text/csv, text/plain, text/tab-separated-values, application/json, application/x-ndjson */
  content: string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
}

export interface ImportsCreateOutput {
  /** The job that does the work; GET /v1/jobs/{id} shows its progress */
  job_id: string;
  /** Columns of the file, or members of its JSON, that are ignored */
  not_taken: string[];
  /** Rows already refused because of their contents; the result file says why */
  refused: number;
}

export interface JobsListInput {
  /** Page number, from 1 */
  page?: number | undefined;
  /** Jobs per page */
  limit?: number | undefined;
}

export interface JobsResultInput {
  /** Identifier */
  id: string;
  /** Begins CSV with a byte-order mark, so that spreadsheets read it as UTF-8 */
  bom?: boolean | undefined;
}

export interface BucketsCreateInput {
  /** Heading of the page */
  name: string;
  /** Letters, digits, emoji, "-" and "_", at most 64; case-sensitive */
  slug?: string | undefined;
  /** In the order shown on the page */
  links: BucketsCreateInputLink[];
  /** A line of text under the name; null for none */
  description?: string | null | undefined;
  /** Colour of the page as #rrggbb; null for a default colour */
  accent_color?: string | null | undefined;
}

export interface BucketsCreateInputLink {
  /** Text of the link */
  title: string;
  /** Absolute http or https URL; or a mailto: or tel: URL of at most 2000 characters, which is shown as is and not counted */
  url: string;
}

export interface BucketsListInput {
  /** Page number, from 1 */
  page?: number | undefined;
  /** Buckets per page */
  limit?: number | undefined;
}

export interface BucketsUpdateInput {
  /** Identifier */
  id: string;
  /** Heading of the page */
  name?: string | undefined;
  /** Letters, digits, emoji, "-" and "_", at most 64; case-sensitive */
  slug?: string | undefined;
  /** In the order shown on the page */
  links?: BucketsCreateInputLink[] | undefined;
  /** A line of text under the name; null for none */
  description?: string | null | undefined;
  /** Colour of the page as #rrggbb; null for a default colour */
  accent_color?: string | null | undefined;
}

export interface BucketsStatsOutput {
  /** Views of the page by people */
  views: number;
  /** The sum of the links' clicks */
  clicks: number;
  /** The links in it, in order */
  links: Array<{
    /** Title; null if there is none */
    title: string;
    /** Where it leads */
    url: string;
    /** 0 for mailto: and tel:, which are not counted */
    clicks: number;
  }>;
}

export interface BucketsSetAvatarInput {
  /** Identifier */
  id: string;
  /** The file: image/png, image/jpeg, image/webp */
  image: string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
}

export interface AnalyticsOverviewInput extends ReportInput {
  /** Only this link's clicks */
  linkId?: string | undefined;
}

export interface ReportInput extends ClickSelection {
  /** Length of each row; weeks begin on Monday. Default: depends on the window */
  granularity?: Granularity | undefined;
  /** One or two filter names, such as country,device: `groups` then has the clicks for each value, or each pair of values */
  group_by?: string | string[] | undefined;
  /** Also report the previous window */
  compare?: boolean | undefined;
}

export interface ClickSelection extends ClickFilters {
  /** Time window; it ends with the current hour (24h), day (7d, 30d, 90d) or month (1y, all) */
  period?: Period | undefined;
  /** Start of the window, instead of `period`: a date in `tz`, or a time such as 2026-11-21T14:30:00Z, rounded down to a quarter of an hour */
  from?: string | undefined;
  /** End of that window: a date (inclusive), or a time, rounded up. Default: now */
  to?: string | undefined;
  /** IANA time zone of the hours, days and months */
  tz?: string | undefined;
}

export interface ClickFilters {
  /** An ISO 3166-1 country such as DE, or unknown */
  country?: string | string[] | undefined;
  /** One of AF, AN, AS, EU, NA, OC, SA and unknown */
  continent?: string | string[] | undefined;
  /** A region as reports name it, such as DE-BY (ISO 3166-2), or unknown */
  region?: string | string[] | undefined;
  /** A city as reports name it, such as Munich, DE-BY, or unknown */
  city?: string | string[] | undefined;
  /** One of desktop, mobile, tablet, tv, console, other and unknown */
  device?: string | string[] | undefined;
  /** A browser as reports name it, such as Firefox */
  browser?: string | string[] | undefined;
  /** A system as reports name it, such as Android */
  os?: string | string[] | undefined;
  /** A host as reports name it, or (direct) */
  referrer?: string | string[] | undefined;
  /** One of search, social, mail, assistant, direct, other and unknown */
  channel?: string | string[] | undefined;
  /** The source of a campaign, as sent, or (none) */
  utm_source?: string | string[] | undefined;
  /** The medium of a campaign, as sent, or (none) */
  utm_medium?: string | string[] | undefined;
  /** The name of a campaign, as sent, or (none) */
  utm_campaign?: string | string[] | undefined;
  /** The keyword of a campaign, as sent, or (none) */
  utm_term?: string | string[] | undefined;
  /** The content of a campaign, as sent, or (none) */
  utm_content?: string | string[] | undefined;
  /** The id of a link */
  link_id?: string | string[] | undefined;
  /** The name of a tag, or (none); links count by their current tags */
  tag?: string | string[] | undefined;
  /** The host of short links, such as go.example.com */
  domain?: string | string[] | undefined;
  /** The position of a variant in its A/B test, from 1 to 4, or (none) */
  variant?: string | string[] | undefined;
  /** One of preview, search, ai, monitor, tool, prefetch, other, unknown and any; counts visits by these bots instead of clicks by people */
  bot?: string | string[] | undefined;
}

export interface AnalyticsLiveInput extends ClickFilters {
  /** Continues after the event or click with this id. The header Last-Event-ID, which browsers send when they reconnect, takes precedence */
  last_event_id?: string | undefined;
  /** false ends the stream once everything missed since the last event is sent */
  follow?: boolean | undefined;
}

export interface AnalyticsLinkInput extends ReportInput {
  /** Identifier */
  id: string;
}

export interface AnalyticsExportInput extends ClickSelection {
  /** csv is RFC 4180; json is an array; parquet is Apache Parquet */
  format?: "csv" | "json" | "parquet" | undefined;
  /** Begins CSV with a byte-order mark, so that spreadsheets read it as UTF-8 */
  bom?: boolean | undefined;
}

export interface AnalyticsSparklinesInput {
  /** Ids of at most 100 links; links of other accounts are left out */
  ids?: string[] | undefined;
}

export interface AnalyticsSparklinesOutput {
  /** True if the plan has no analytics */
  locked: boolean;
  /** Start of the first day, in UTC */
  from: string;
  /** End of the last day (today), exclusive */
  to: string;
  /** The requested links, without those of other accounts */
  links: Array<{
    /** Identifier */
    id: string;
    /** Clicks of each day, oldest first */
    clicks: number[];
  }>;
}

export interface AnalyticsWhatIfInput {
  /** Identifier */
  id: string;
  /** Time window; it ends with the current hour (24h), day (7d, 30d, 90d) or month (1y, all) */
  period?: Period | undefined;
  /** IANA time zone of the hours, days and months */
  tz?: string | undefined;
  /** The changes to try; URLs and options that could not be saved are refused */
  draft: {
    /** Absolute http or https URL */
    destination?: string | undefined;
    /** Instead of the link's rules; null or an empty list for none */
    rules?: Rule[] | null | undefined;
    /** Instead of the link's country rules; null or an empty list for none */
    geo_rules?: GeoRule[] | null | undefined;
    /** Instead of the link's A/B test; null for none */
    ab_test?: AbTest | null | undefined;
  };
}

export interface AnalyticsWhatIfOutput {
  /** Clicks of the period, without those of bots */
  clicks: number;
  /** Of these, those that would go elsewhere */
  moved: number;
  /** Of these, those whose destination is unknown, with or without the draft */
  unknown: number;
  /** Most clicks first; `before` and `after` both add up to `clicks` without `unknown` */
  destinations: Array<{
    /** Where it leads */
    url: string;
    /** Clicks that go there with the link as it is */
    before: number;
    /** Clicks that would go there with the draft */
    after: number;
  }>;
  /** Groups of clicks, most clicks first: at most 5 that would go elsewhere, then at most 5 that are unknown */
  examples: Array<{
    /** Time of one of these clicks */
    at: string;
    /** Country, ISO 3166-1 alpha-2; null if unknown or irrelevant */
    country: string | null;
    /** Device; null if unknown or irrelevant */
    device: string | null;
    /** Operating system; null if unknown or irrelevant */
    os: string | null;
    /** Browser; null if unknown or irrelevant */
    browser: string | null;
    /** Referrer host; null if unknown or irrelevant */
    referrer: string | null;
    /** Clicks of the period that the link and the draft treat like this one */
    clicks: number;
    /** Where the link sends them now; null if unknown */
    before: string | null;
    /** Where the draft would send them; null if unknown */
    after: string | null;
  }>;
}

export interface UsersUpdateConsentsInput {
  /** Whether the user agrees to receive news by e-mail */
  marketing?: boolean | undefined;
}

export interface PreferencesUpdateInput {
  /** Reports by mail */
  reports?:
    | {
        /** When a report comes: on Mondays or on the first of the month, at eight in `time_zone` */
        frequency?: Frequency | undefined;
        /** Ids of at most 20 workspaces that it covers */
        workspaces?: string[] | undefined;
        /** Ids of at most 20 tags that it covers, of any workspace of the user */
        tags?: string[] | undefined;
      }
    | undefined;
  /** Whether alerts, domains, webhooks and jobs send mail */
  notices?: boolean | undefined;
  /** IANA time zone of reports; null means UTC */
  time_zone?: string | null | undefined;
}

export interface SessionsEndAllInput {
  /** Keeps the calling session */
  others?: boolean | undefined;
  /** Also ends the connections of all programs, including the calling one */
  connections?: boolean | undefined;
  /** Also revokes all API keys, including the calling one */
  keys?: boolean | undefined;
}

export interface SessionsEndAllOutput {
  /** Number of sessions that were ended */
  ended: number;
  /** Number of API keys that were revoked */
  keys_revoked: number;
  /** Number of connections that were ended */
  connections_ended: number;
}

export interface DomainsCreateInput {
  /** Host name, such as go.example.com or example.com; international names in Unicode or Punycode */
  domain: string;
}

export interface DomainsUpdateInput {
  /** Identifier */
  id: string;
  /** Where visits to the bare domain, without a slug, are sent; null clears it */
  root_url?: string | null | undefined;
  /** Where visits to unknown slugs are sent; these are not clicks. null clears it */
  not_found_url?: string | null | undefined;
  /** Where visits to ended links are sent; these are not clicks. null clears it */
  expired_url?: string | null | undefined;
  /** The service that the domain was moved from, such as https://old.example: it is asked once about each unknown slug, which then becomes a link; null clears it */
  import_from?: string | null | undefined;
  /** Ids of workspaces that may create links on the domain, too; you must be allowed to change domains in each one that is new. "everyone" is for operators. Links of a workspace that is left out stay and redirect */
  shared_with?: "everyone" | string[] | undefined;
  /** Served at /.well-known/apple-app-site-association, in Apple's format; null for none */
  apple_app_site_association?: Record<string, unknown> | null | undefined;
  /** Served at /.well-known/assetlinks.json, in the format of Digital Asset Links; null for none */
  assetlinks?: Array<Record<string, unknown>> | null | undefined;
}

export interface KeysCreateInput {
  /** Display name */
  name?: string | undefined;
  /** What the key can do; without it, everything the plan includes */
  scopes?: Scope[] | undefined;
  /** When the key stops working; without it, the key does not expire */
  expires_at?: string | undefined;
}

export interface KeysRotateInput {
  /** Identifier */
  id: string;
  /** How long the old key keeps working; 0 revokes it at once */
  overlap_hours?: number | undefined;
  /** When the new key expires; by default when the old one would have */
  expires_at?: string | undefined;
}

export interface AccountDeleteOutput {
  /** Signing in before this time restores the account */
  deletes_at: string;
}

export interface PasskeysRenameInput {
  /** Identifier */
  id: string;
  /** What its owner calls it */
  name: string;
}

export interface ActivityListInput {
  /** Page number, from 1 */
  page?: number | undefined;
  /** Entries per page */
  limit?: number | undefined;
}

export interface AuditListInput {
  /** Page number, from 1 */
  page?: number | undefined;
  /** Entries per page */
  limit?: number | undefined;
  /** Entries of the person, session or API key with this id, or of this kind of actor */
  actor?: string | undefined;
  /** Entries with this action; if repeated, with any of the actions */
  action?: Action | Action[] | undefined;
  /** Entries of this time or later */
  from?: string | undefined;
  /** Entries before this time */
  to?: string | undefined;
}

export interface AuditExportInput {
  /** csv is RFC 4180; json is an array */
  format?: "csv" | "json" | undefined;
  /** Begins CSV with a byte-order mark, so that spreadsheets read it as UTF-8 */
  bom?: boolean | undefined;
  /** Entries of the person, session or API key with this id, or of this kind of actor */
  actor?: string | undefined;
  /** Entries with this action; if repeated, with any of the actions */
  action?: Action | Action[] | undefined;
  /** Entries of this time or later */
  from?: string | undefined;
  /** Entries before this time */
  to?: string | undefined;
}

export interface TagsRenameInput {
  /** Identifier */
  id: string;
  /** 1 to 50 characters; case-insensitive */
  name: string;
}

export interface TagsDeleteOutput {
  /** Identifier */
  id: string;
  /** Always true */
  deleted: true;
  /** The change of the links, which can be undone; null if none changed, or too many to be recorded */
  change_id: string | null;
}

export interface WebhooksCreateInput {
  /** Where events are sent: an https URL */
  url: string;
  /** The events it receives; /docs/webhooks explains each */
  events: WebhookEvent[];
  /** False switches it off: it receives no events meanwhile */
  active?: boolean | undefined;
}

export interface WebhooksUpdateInput {
  /** Identifier */
  id: string;
  /** Where events are sent: an https URL */
  url?: string | undefined;
  /** The events it receives; /docs/webhooks explains each */
  events?: WebhookEvent[] | undefined;
  /** False switches it off: it receives no events meanwhile */
  active?: boolean | undefined;
}

export interface WebhooksRotateInput {
  /** Identifier */
  id: string;
  /** How long deliveries are signed with the old secret too; 0 stops that at once */
  overlap_hours?: number | undefined;
}

export interface WebhooksDeliveriesInput {
  /** Identifier */
  id: string;
  /** Page number, from 1 */
  page?: number | undefined;
  /** Deliveries per page */
  limit?: number | undefined;
}

export interface WebhooksReplayInput {
  /** Identifier */
  id: string;
  /** The time of the first event that is sent again */
  from: string;
}

export interface WebhooksReplayOutput {
  /** Identifier */
  id: string;
  /** How many events are sent again */
  events: number;
}

export interface SharedReportsCreateInput {
  /** Heading of the report, visible to its readers */
  name?: string | undefined;
  /** Only this link */
  link_id?: string | undefined;
  /** Only links with this tag */
  tag?: string | undefined;
  /** What visitors have to enter; null removes it */
  password?: string | null | undefined;
  /** When the address stops working: within 366 days. Default: in 30 days */
  expires_at?: string | undefined;
}

export interface SharedReportsUpdateInput {
  /** Identifier */
  id: string;
  /** Heading of the report, visible to its readers */
  name?: string | undefined;
  /** What visitors have to enter; null removes it */
  password?: string | null | undefined;
  /** When the address stops working: within 366 days. Default: in 30 days */
  expires_at?: string | undefined;
  /** False revokes the address; true restores it */
  active?: boolean | undefined;
}

export interface AlertsCreateInput {
  /** Name of the alert */
  name?: string | undefined;
  /** silence: no click for `hours`; surge: `factor` times the usual clicks of this hour of the week */
  kind: "silence" | "surge";
  /** Only this link */
  link_id?: string | undefined;
  /** Only links with this tag */
  tag?: string | undefined;
  /** For silence: hours without a click until it fires; 24 by default */
  hours?: number | undefined;
  /** For surge: fires at this multiple of the usual clicks; 3 by default */
  factor?: number | undefined;
  /** False switches it off */
  active?: boolean | undefined;
}

export interface AlertsUpdateInput {
  /** Identifier */
  id: string;
  /** Name of the alert */
  name?: string | undefined;
  /** For silence: hours without a click until it fires; null changes nothing */
  hours?: number | null | undefined;
  /** For surge: fires at this multiple of the usual clicks; null changes nothing */
  factor?: number | null | undefined;
  /** False switches it off */
  active?: boolean | undefined;
}

export interface WorkspacesListInput {
  /** Instead those that the caller may join by their e-mail address */
  joinable?: boolean | undefined;
}

export interface WorkspacesCreateInput {
  /** Display name */
  name: string;
  /** Default: made from the name */
  slug?: string | undefined;
}

export interface WorkspacesUpdateInput {
  /** Identifier */
  id: string;
  /** Display name */
  name?: string | undefined;
  /** Path part of the short URL */
  slug?: string | undefined;
  /** Mail domains whose people may join; not those of public mail services */
  join_domains?:
    | Array<{
        /** Host name */
        domain: string;
        /** The role in the workspace, which decides what its member may do */
        role: WorkspacesUpdateInputRole;
      }>
    | undefined;
}

export type WorkspacesUpdateInputRole = "viewer" | "editor" | "admin";

export interface WorkspacesTransferInput {
  /** Identifier */
  id: string;
  /** Identifier of the person */
  user_id: string;
}

export interface MembersUpdateInput {
  /** The member */
  user_id: string;
  /** At most the caller's own role; ownership is transferred instead */
  role: WorkspacesUpdateInputRole;
}

export interface MembersRemoveInput {
  /** The member */
  user_id: string;
}

export interface MembersRemoveOutput {
  /** Identifier of the person */
  user_id: string;
  /** Always true */
  deleted: true;
}

export interface InvitationsCreateInput {
  /** Who may accept it, signed in with this verified address; without one, whoever has the link */
  email?: string | undefined;
  /** At most the caller's own role */
  role: WorkspacesUpdateInputRole;
  /** After how many days it ends */
  expires_in_days?: number | undefined;
}

export interface InvitationsAcceptInput {
  /** The last part of the invitation's address */
  token: string;
}
