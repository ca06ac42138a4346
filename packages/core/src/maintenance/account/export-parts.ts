/** Links of the account: its own, deleted ones, and those of its buckets. */
const linkIds = (id: string) =>
  `(select id from links where account_id = ${id}
    union all select id from deleted_links where account_id = ${id}
    union all select l.id from links l join buckets b on b.id = l.bucket_id where b.account_id = ${id}) of_account`;

const linkColumns = `l.id, nullif(d.domain, '') as custom_domain, l.slug, l.destination, l.title, l.notes, l.qr, l.click_count, l.last_click_at, l.imported_clicks, l.fallbacks,
  l.is_active, l.disabled_at, l.disabled_reason, l.created_at, l.created_by, l.made_by, l.updated_at, l.starts_at, l.expires_at, l.click_limit, l.fallback_url, l.password_hash is not null as has_password, l.rules, l.geo_rules, l.ab_test,
  l.preview, l.redirect_status, l.forward_query, l.forward_path`;

/**
 * Everything stored about an account, except raw clicks: a query for each type of line in its export. `id` is the
 * account's id as an SQL literal. Columns are named: hashes and internal numbers are left out. A test fails if a
 * table of the account is missing.
 */
export const partsOf = (id: string): Readonly<Record<string, string>> => ({
  profile: `select id, email, email_verified, name, language, plan, created_at, suspended_at, deletes_at, history_from
    from workspaces where id = ${id}`,
  consents: `select marketing, updated_at from consents where account_id = ${id}`,
  identity: `select id, provider, issuer, subject, created_at from identities where account_id = ${id} order by id`,
  member: `select workspace_id, user_id, role, via, joined_at from members where workspace_id = ${id} or user_id = ${id}
    order by workspace_id, user_id`,
  invitation: `select id, email, role, invited_by, created_at, expires_at from invitations where account_id = ${id} order by id`,
  passkey: `select id, transports, synced, counter, name, created_at, last_used_at
    from passkeys where account_id = ${id} order by id`,
  session: `select id, created_at, last_seen_at, expires_at from sessions where account_id = ${id} order by id`,
  login_link: `select id, created_at, expires_at from login_links where account_id = ${id} order by id`,
  api_key: `select id, name, prefix, scopes, expires_at, replaced_at, made_over_api, created_by, created_at, last_used_at
    from api_keys where account_id = ${id} order by id`,
  connection: `select id, client_id, client_name, client_host, resource, scopes, created_by, created_at, last_used_at, expires_at
    from oauth_connections where account_id = ${id} order by id`,
  connection_token: `select connection_id, kind, t.expires_at, consumed_at
    from oauth_tokens t join oauth_connections c on c.id = t.connection_id
    where account_id = ${id} order by connection_id, t.expires_at`,
  directory_token: `select id, name, created_at, last_used_at from scim_tokens where account_id = ${id} order by id`,
  directory_user: `select id, user_id, user_name, external_id, email, attributes, active, made_person, signed_in, removed_at,
      created_at, updated_at
    from scim_users where account_id = ${id} or user_id = ${id} order by id`,
  directory_group: `select id, display_name, external_id, created_at, updated_at from scim_groups where account_id = ${id} order by id`,
  directory_group_member: `select group_id, scim_user_id from scim_group_members join scim_groups on id = group_id
    where account_id = ${id} order by group_id, scim_user_id`,
  group_grant: `select user_id, provider from group_grants where account_id = ${id} order by user_id, provider`,
  activity: `select id, at, action, count, by_kind, by_id, by_name, user_id, about, target_id, target_name, fields,
      network, client, position
    from activity where account_id = ${id} order by id`,
  activity_chain: `select first, last from activity_chains where account_id = ${id}`,
  idempotent_answer: `select created_at from idempotent_answers where account_id = ${id} order by created_at`,
  job: `select id, kind, status, input - 'hashed' as input, done, total, counts, error, created_by, permission, created_at, ended_at
    from jobs where account_id = ${id} order by id`,
  job_part: `select job_id, number, items, result
    from job_parts p join jobs j on j.id = p.job_id where j.account_id = ${id} order by job_id, number`,
  domain: `select id, domain, status, challenge, created_at, verified_at, broken_since, checked_at, deleted_at,
      root_url, not_found_url, expired_url, apple_app_site_association::json, assetlinks::json, import_from, imported_links, shared_with
    from domains where account_id = ${id} order by id`,
  webhook: `select id, url, events, active, inactive_reason, failing_since, created_by, created_at, updated_at
    from webhooks where account_id = ${id} order by id`,
  webhook_event: `select event_id as id, type as event, at, subject - 'account_id' - 'password_hash' as subject, clicks
    from webhook_events where account_id = ${id} order by webhook_events.id`,
  webhook_clicks: `select at, clicks from webhook_clicks where account_id = ${id} order by id`,
  webhook_delivery: `select d.id, webhook_id, event_id, type as event, at, attempt, ok, status, duration_ms, failure, answer
    from webhook_deliveries d join webhooks w on w.id = webhook_id where account_id = ${id} order by d.id`,
  alert: `select id, name, kind, link_id, tag_id, hours, factor, active, is_on, fired_at, created_at
    from alerts where account_id = ${id} order by id`,
  mail: `select id, address, language, kind, data, created_at, sent_at, failed_at, problem
    from mails where account_id = ${id} order by id`,
  mail_opt_out: `select topic, at from mail_opt_outs where account_id = ${id} order by topic`,
  preferences: `select time_zone, report_frequency, report_at from preferences where account_id = ${id}`,
  report_subject: `select workspace_id, tag_id from report_subjects where account_id = ${id} order by workspace_id, tag_id`,
  report_period: `select frequency, first_day, at from report_periods where account_id = ${id} order by at`,
  shared_report: `select id, name, link_id, tag_id, password_hash is not null as has_password, active, created_at, expires_at, last_opened_at
    from shared_reports where account_id = ${id} order by id`,
  link: `select ${linkColumns} from links l join domains d on d.id = l.domain_id where l.account_id = ${id}
    order by l.created_at desc, l.id desc`,
  tag: `select id, name from tags where account_id = ${id} order by id`,
  link_tag: `select link_id, tag_id from link_tags join tags on tags.id = tag_id where account_id = ${id}
    order by link_id, tag_id`,
  import_position: `select link_id, source, p.position, last_at from import_positions p join links on links.id = link_id
    where account_id = ${id} order by link_id, source`,
  link_health: `select link_id, status, since, checked_at, next_at from link_health where account_id = ${id} order by link_id`,
  deleted_link: `select l.id, nullif(d.domain, '') as custom_domain, slug, destination, title, l.deleted_at, l.created_at, l.created_by
    from deleted_links l left join domains d on d.id = l.domain_id where l.account_id = ${id} order by l.id`,
  change: `select c.id, c.at, c.action, c.by_kind, c.by_name, c.undoes, c.undone_by, l.link_id,
      l.before - 'password_hash' as before, l.after - 'password_hash' as after
    from changes c join link_changes l on l.change_id = c.id where c.account_id = ${id} order by c.at, l.place`,
  bucket: `select id, name, description, accent_color, last_number, created_by, created_at, updated_at from buckets where account_id = ${id} order by id`,
  bucket_avatar: `select bucket_id, 'image/webp' as content_type, translate(encode(image, 'base64'), E'\n', '') as base64
    from bucket_avatars a join buckets b on b.id = a.bucket_id where account_id = ${id} order by bucket_id`,
  qr_logo: `select 'image/png' as content_type, translate(encode(image, 'base64'), E'\n', '') as base64
    from qr_logos where account_id = ${id}`,
  bucket_link: `select ${linkColumns}, bucket_id, position
    from links l join domains d on d.id = l.domain_id join buckets b on b.id = l.bucket_id
    where b.account_id = ${id} order by l.id`,
  campaign: `select utm_source, utm_medium, utm_campaign, utm_term, utm_content from click_campaigns
    where account_number = (select number from workspaces where id = ${id}) order by click_campaigns.id`,
  link_bot: `select link_id, day, bot, rule, bots from link_bots join click_bots on click_bots.id = bot_id
    join ${linkIds(id)} on link_id = of_account.id`,
  link_day: `select link_id, day, clicks, visitors, bots from link_days join ${linkIds(id)} on link_id = of_account.id`,
  link_day_value: `select link_id, day, dimension, value, clicks from link_day_values join ${linkIds(id)} on link_id = of_account.id`,
});
