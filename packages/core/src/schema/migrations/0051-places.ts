import { Migration } from "@mikro-orm/migrations";

/**
 * The region and the city of each click. They are null in clicks that were counted before, by nodes of the version before, or
 * without a database of places. A node of the version before that packs rows leaves them out; rows are packed two days later.
 */
export class Places extends Migration {
  override up(): void {
    this.addSql(`create table click_places (
      id integer generated always as identity primary key,
      region text not null,
      city text not null,
      constraint click_places_unique unique (region, city)
    )`);
    this.addSql(`alter table clicks add column place_id integer`);
  }
}
