import { Migration } from "@mikro-orm/migrations";

/**
 * Password attempts, in the format of rate-limiter-flexible. Unlogged: losing them only allows ten more attempts, and
 * replicas do not need them.
 */
export class Guesses extends Migration {
  override up(): void {
    this.addSql(`create unlogged table password_guesses (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint)`);
  }
}
