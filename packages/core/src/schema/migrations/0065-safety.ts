import { Migration } from "@mikro-orm/migrations";

/**
 * API keys that a connected program made are deleted with its connection. Domains count the links that they got from the service they
 * were moved from in the current hour (`redirects/on-miss/store.ts`).
 */
export class Safety extends Migration {
  override up(): void {
    this.addSql("alter table api_keys add column connection_id uuid");
    this.addSql("create index api_keys_connection_id on api_keys (connection_id)");
    this.addSql(`create function delete_keys_of_connection() returns trigger language plpgsql as $$
      begin
        delete from api_keys where connection_id = old.id;
        return null;
      end $$`);
    this.addSql(`create trigger delete_keys_of_connection after delete on oauth_connections
      for each row execute function delete_keys_of_connection()`);
    this.addSql(`alter table domains add column imported_hour timestamptz(3),
      add column imported_in_hour integer not null default 0`);
  }
}
