import { Migration } from "@mikro-orm/migrations";

/**
 * Work in the background, in parts that are fixed when it begins: a part has `items` until it is done, and a `result` since.
 * Answers to requests with an Idempotency-Key are encrypted from now on: `sealed` instead of `answer`, and `key` is a hash.
 */
export class Jobs extends Migration {
  override up(): void {
    this.addSql(`create table jobs (
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
      leased_by uuid,
      leased_until timestamptz(3),
      created_at timestamptz(3) not null,
      ended_at timestamptz(3)
    )`);
    this.addSql(`create index jobs_account_id_id on jobs (account_id, id desc)`);
    this.addSql(`create index jobs_open on jobs (account_id, id) where ended_at is null`);
    this.addSql(`create index jobs_ended_at on jobs (ended_at) where ended_at is not null`);
    this.addSql(`create table job_parts (
      job_id uuid not null constraint job_parts_job_id_foreign references jobs (id) on delete cascade,
      number integer not null,
      size integer not null,
      items json,
      result json,
      primary key (job_id, number)
    )`);
    this.addSql(`alter table idempotent_answers add column sealed bytea, alter column answer drop not null`);
  }
}
