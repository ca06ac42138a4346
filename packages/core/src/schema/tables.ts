/** The handling of a table's rows. */
interface Table {
  /** Its columns are compared with its entity, which has all of them */
  entity?: true;
  /** It has something of an account: its content, its address, or numbers by which it is found. It is erased with the account. */
  personal?: true;
  /** By it a person or a credential finds an account, or the account reaches others: it is erased first */
  credential?: true;
  /** It is in the export of an account */
  exported?: true;
  /** False if it is not in backups */
  backedUp?: false;
}

const ofAccount = { personal: true, exported: true } as const;
/** Sums and orders of data that is exported elsewhere. */
const derived = { personal: true } as const;
/** Nothing of an account, only numbers and names that many have. */
const impersonal = {} as const;

/** Every table; a test compares it with a database. */
export const tables: Readonly<Record<string, Table>> = {
  workspaces: { ...ofAccount, entity: true },
  members: { ...ofAccount, entity: true },
  scim_tokens: { ...ofAccount, credential: true },
  scim_users: { ...ofAccount, credential: true },
  scim_groups: ofAccount,
  scim_group_members: ofAccount,
  group_grants: { ...ofAccount, credential: true },
  invitations: { ...ofAccount, credential: true },
  consents: { ...ofAccount, entity: true, credential: true },
  identities: { ...ofAccount, entity: true, credential: true },
  passkeys: { ...ofAccount, entity: true, credential: true },
  login_links: { ...ofAccount, entity: true, credential: true },
  sessions: { ...ofAccount, entity: true, credential: true },
  api_keys: { ...ofAccount, entity: true, credential: true },
  oauth_connections: { ...ofAccount, entity: true, credential: true },
  // They go with their connections.
  oauth_tokens: ofAccount,
  oauth_clients: impersonal,
  activity: { ...ofAccount, credential: true },
  activity_chains: { ...ofAccount, credential: true },
  webhooks: { ...ofAccount, credential: true },
  shared_reports: { ...ofAccount, credential: true },
  alerts: { ...ofAccount, credential: true },
  domains: { ...ofAccount, entity: true },
  buckets: { ...ofAccount, entity: true },
  bucket_avatars: ofAccount,
  links: { ...ofAccount, entity: true },
  deleted_links: ofAccount,
  link_tags: ofAccount,
  tags: ofAccount,
  link_health: ofAccount,
  link_ranks: derived,
  qr_logos: ofAccount,
  import_positions: ofAccount,
  changes: ofAccount,
  link_changes: ofAccount,
  jobs: ofAccount,
  job_parts: ofAccount,
  idempotent_answers: ofAccount,
  webhook_events: ofAccount,
  webhook_clicks: ofAccount,
  webhook_deliveries: ofAccount,
  webhook_log: impersonal,
  mails: { ...ofAccount, credential: true },
  mail_opt_outs: ofAccount,
  preferences: ofAccount,
  report_subjects: ofAccount,
  report_periods: ofAccount,
  mail_refusals: { personal: true },
  mail_keys: impersonal,
  email_sign_ins: { personal: true },
  // About an account, but by others.
  reports: { personal: true },
  health_hosts: { personal: true },
  // Of a few minutes, and not of an account.
  passkey_challenges: { backedUp: false },
  password_guesses: { backedUp: false },
  // Raw clicks are exported from here and from `click_blocks`, by the accounts' numbers.
  clicks: derived,
  click_campaigns: ofAccount,
  click_permits: derived,
  click_values: derived,
  link_days: ofAccount,
  link_bots: ofAccount,
  link_campaigns: derived,
  account_bots: derived,
  account_days: derived,
  account_hour_sums: derived,
  account_quarter_hours: derived,
  account_sums: derived,
  click_blocks: impersonal,
  click_bots: impersonal,
  click_clients: impersonal,
  click_months_dropped: impersonal,
  click_places: impersonal,
  click_referrers: impersonal,
  click_salts: impersonal,
  click_segments: impersonal,
  click_stream: impersonal,
  click_visitors: impersonal,
  clickhouse_copy: impersonal,
  clickhouse_queue: impersonal,
  erased_days: impersonal,
  schema_compatibility: impersonal,
  migrations: { backedUp: false },
};

/** The names of tables with a flag, in the order above. */
export const tablesThat = (isMeant: (table: Table) => boolean): string[] =>
  Object.entries(tables).flatMap(([name, table]) => (isMeant(table) ? [name] : []));
