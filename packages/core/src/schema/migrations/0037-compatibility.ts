import { Migration } from "@mikro-orm/migrations";

/**
 * Which programs can run on this database: those that know the migration `oldest`, as far as nothing after `newest` was
 * migrated. Every program that migrates writes it, see `schema/compatibility.ts`.
 */
export class Compatibility extends Migration {
  override up(): void {
    this.addSql(`create table schema_compatibility (
      one boolean not null primary key default true check (one),
      oldest text not null,
      newest text not null
    )`);
  }
}
