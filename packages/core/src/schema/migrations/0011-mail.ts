/** Mail: the outbox, who wants none, sign-ins by e-mail */
export const mail = `
  -- What waits to be sent, and for a while what was sent. "secret" has codes and tokens, only until the mail is sent.
  create table mails (
    id uuid not null primary key,
    account_id uuid constraint mails_account_id_foreign references workspaces (id) on delete cascade,
    address text not null,
    language text,
    kind text not null,
    data jsonb not null,
    secret jsonb,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    next_at timestamptz(3) not null,
    attempts integer not null default 0,
    lease uuid,
    leased_until timestamptz(3),
    sent_at timestamptz(3),
    failed_at timestamptz(3),
    problem text
  );
  create index mails_next_at on mails (next_at) where sent_at is null and failed_at is null;
  create index mails_created_at on mails (created_at);
  create index mails_account_id on mails (account_id);

  -- Addresses that a server refused for good, so that they get no more notices.
  create table mail_refusals (address text not null primary key, at timestamptz(3) not null, problem text not null);
  create index mail_refusals_at on mail_refusals (at);

  -- Topics that a person has switched off.
  create table mail_opt_outs (
    account_id uuid not null constraint mail_opt_outs_account_id_foreign references workspaces (id) on delete cascade,
    topic text not null,
    at timestamptz(3) not null,
    primary key (account_id, topic)
  );

  -- One row: signs the links that switch a topic off. gen_random_uuid has 122 random bits, from a strong source.
  create table mail_keys (key bytea not null);
  insert into mail_keys
  values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

  -- Of the token, the code and the browser's secret only hashes. Rows stay for a day, since they count as attempts.
  create table email_sign_ins (
    id uuid not null primary key,
    address text not null,
    token_hash bytea not null constraint email_sign_ins_token_hash_unique unique,
    code_hash bytea not null,
    browser_hash bytea not null,
    return_to text not null,
    language text,
    tries integer not null default 0,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    used_at timestamptz(3)
  );
  create index email_sign_ins_address on email_sign_ins (regexp_replace(address, '[+][^@]*@', '@'), created_at);
  create index email_sign_ins_created_at on email_sign_ins (created_at);
`;
