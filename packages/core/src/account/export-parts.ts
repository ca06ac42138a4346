/** One kind of line in an account's export, and where its rows come from. */
export interface Part {
  type: string;
  sql: string;
}

/** Links of the account: its own, deleted ones, and those of its buckets. */
const linkIds = (id: string) =>
  `(select id from links where account_id = ${id}
    union all select id from deleted_links where account_id = ${id}
    union all select l.id from links l join buckets b on b.id = l.bucket_id where b.account_id = ${id}) of_account`;

const linkColumns = `l.id, nullif(d.domain, '') as custom_domain, l.slug, l.destination, l.title, l.click_count, l.last_click_at,
  l.is_active, l.disabled_at, l.disabled_reason, l.created_at, l.updated_at, l.expires_at, l.password_hash is not null as has_password, l.geo_rules, l.ab_test`;

/**
 * Everything that is stored of an account, except raw clicks. `id` is the account's id as an SQL literal. Columns are named:
 * hashes and internal numbers are left out. A test fails if a table of the account is missing.
 */
export const partsOf = (id: string): readonly Part[] => [
  {
    type: "profile",
    sql: `select id, email, email_verified, name, plan, created_at, suspended_at, deletes_at
          from users where id = ${id}`,
  },
  { type: "consents", sql: `select marketing, updated_at from consents where account_id = ${id}` },
  {
    type: "identity",
    sql: `select id, provider, issuer, subject, created_at from identities where account_id = ${id} order by id`,
  },
  {
    type: "session",
    sql: `select id, created_at, last_seen_at, expires_at from sessions where account_id = ${id} order by id`,
  },
  {
    type: "login_link",
    sql: `select id, created_at, expires_at from login_links where account_id = ${id} order by id`,
  },
  {
    type: "api_key",
    sql: `select id, name, prefix, scopes, expires_at, replaced_at, made_over_api, created_at, last_used_at
          from api_keys where account_id = ${id} order by id`,
  },
  {
    type: "activity",
    sql: `select id, at, action, count, by_kind, by_id, about, network, client
          from activity where account_id = ${id} order by id`,
  },
  {
    type: "idempotent_answer",
    sql: `select created_at from idempotent_answers where account_id = ${id} order by created_at`,
  },
  {
    type: "job",
    sql: `select id, kind, status, input - 'hashed' as input, done, total, counts, error, created_at, ended_at
          from jobs where account_id = ${id} order by id`,
  },
  {
    type: "job_part",
    sql: `select job_id, number, items, result
          from job_parts p join jobs j on j.id = p.job_id where j.account_id = ${id} order by job_id, number`,
  },
  {
    type: "domain",
    sql: `select id, domain, status, challenge, created_at, verified_at, broken_since, checked_at, deleted_at
          from domains where account_id = ${id} order by id`,
  },
  {
    type: "link",
    sql: `select ${linkColumns} from links l join domains d on d.id = l.domain_id where l.account_id = ${id}
          order by l.created_at desc, l.id desc`,
  },
  {
    type: "deleted_link",
    sql: `select l.id, nullif(d.domain, '') as custom_domain, slug, destination, title, l.deleted_at
          from deleted_links l left join domains d on d.id = l.domain_id where l.account_id = ${id} order by l.id`,
  },
  {
    type: "bucket",
    sql: `select id, name, description, accent_color, last_number, created_at, updated_at from buckets where account_id = ${id} order by id`,
  },
  {
    type: "bucket_avatar",
    sql: `select bucket_id, 'image/webp' as content_type, translate(encode(image, 'base64'), E'\n', '') as base64
          from bucket_avatars a join buckets b on b.id = a.bucket_id where account_id = ${id} order by bucket_id`,
  },
  {
    type: "bucket_link",
    sql: `select ${linkColumns}, bucket_id, position
          from links l join domains d on d.id = l.domain_id join buckets b on b.id = l.bucket_id
          where b.account_id = ${id} order by l.id`,
  },
  {
    type: "link_day",
    sql: `select link_id, day, clicks, visitors, bots from link_days join ${linkIds(id)} on link_id = of_account.id`,
  },
  {
    type: "link_day_value",
    sql: `select link_id, day, dimension, value, clicks from link_day_values join ${linkIds(id)} on link_id = of_account.id`,
  },
];
