/** What the service keeps for itself: saved responses, work in the background, attempts to guess, and versions. */
export const internals = `
  -- Responses to requests with an Idempotency-Key, encrypted with that key, of which "key" is a hash; kept for a day
  create table idempotent_answers (
    account_id uuid not null
      constraint idempotent_answers_account_id_foreign references users (id) on delete cascade,
    key text not null,
    request_hash bytea not null,
    sealed bytea not null,
    created_at timestamptz(3) not null,
    primary key (account_id, key)
  );
  create index idempotent_answers_created_at on idempotent_answers (created_at);

  -- Work in the background, in parts that are fixed when it begins: a part has "items" until it is done, and a "result"
  -- since. "refusals" counts how often it has been refused without progress since "refused_since".
  create table jobs (
    id uuid not null primary key,
    account_id uuid not null constraint jobs_account_id_foreign references users (id) on delete cascade,
    kind text not null,
    status text not null default 'waiting',
    input jsonb not null,
    done integer not null default 0,
    total integer not null,
    counts jsonb not null default '{}',
    error text,
    failures integer not null default 0,
    refusals integer not null default 0,
    refused_since timestamptz,
    leased_by uuid,
    leased_until timestamptz(3),
    created_at timestamptz(3) not null,
    ended_at timestamptz(3)
  );
  create index jobs_account_id_id on jobs (account_id, id desc);
  create index jobs_open on jobs (account_id, id) where ended_at is null;
  create index jobs_ended_at on jobs (ended_at) where ended_at is not null;

  create table job_parts (
    job_id uuid not null constraint job_parts_job_id_foreign references jobs (id) on delete cascade,
    number integer not null,
    size integer not null,
    items json,
    result json,
    primary key (job_id, number)
  );

  -- Password attempts, in the format of rate-limiter-flexible. Unlogged: losing them only allows ten more attempts, and
  -- replicas do not need them.
  create unlogged table password_guesses (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  );

  -- One row: which programs can run on this database, those that know the migration "oldest", as far as nothing after
  -- "newest" was migrated. Every program that migrates writes it (schema/compatibility.ts).
  create table schema_compatibility (
    one boolean not null primary key default true check (one),
    oldest text not null,
    newest text not null
  );
`;
