import { Migration } from "@mikro-orm/migrations";

/**
 * The click stream. While one is used, the position of a segment outlives its file, so that entries of the stream that arrive
 * late are not counted again.
 */
export class ClickStream extends Migration {
  override up(): void {
    this.addSql(`alter table click_segments add column finished_at timestamptz(3)`);
    this.addSql(
      `create index click_segments_finished_at on click_segments (finished_at) where finished_at is not null`,
    );

    // One row: who drains the stream, and up to which entry it is counted. Without a holder, no stream was ever used.
    this.addSql(
      `create table click_stream (holder text, until timestamptz(3), counted text not null default '')`,
    );
    this.addSql(`insert into click_stream default values`);
  }
}
