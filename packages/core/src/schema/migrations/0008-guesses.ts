import { Migration } from "@mikro-orm/migrations";

/**
 * Guesses at passwords, in the form that rate-limiter-flexible counts them in. Unlogged: losing them costs a guesser ten
 * more guesses, and no copy of the database needs them.
 */
export class Guesses extends Migration {
  override up(): void {
    this.addSql(`create unlogged table password_guesses (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint)`);
  }
}
