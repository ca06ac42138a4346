import { Migration } from "@mikro-orm/migrations";

/** Answers to requests with an Idempotency-Key, kept as they were sent (`json`, not `jsonb`) for a day. */
export class IdempotentAnswers extends Migration {
  override up(): void {
    this.addSql(`create table idempotent_answers (
      account_id uuid not null constraint idempotent_answers_account_id_foreign references users (id) on delete cascade,
      key text not null,
      request_hash bytea not null,
      answer json not null,
      created_at timestamptz(3) not null,
      primary key (account_id, key)
    )`);
    this.addSql(`create index idempotent_answers_created_at on idempotent_answers (created_at)`);
  }
}
