import { Migration } from "@mikro-orm/migrations";

/**
 * Limits what API keys can do and for how long. Existing keys keep all rights; it is not known which of them were made over
 * the API. Nodes of the previous version ignore limits until they are updated.
 */
export class KeyLimits extends Migration {
  override up(): void {
    this.addSql(`alter table api_keys
      add column scopes text[],
      add column expires_at timestamptz(3),
      add column replaced_at timestamptz(3),
      add column made_over_api boolean not null default false`);
  }
}
