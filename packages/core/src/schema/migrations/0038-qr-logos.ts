import { Migration } from "@mikro-orm/migrations";

/** The logo that an account's QR codes may have in the middle, as PNG. Nodes of the previous version draw codes without it. */
export class QrLogos extends Migration {
  override up(): void {
    this.addSql(`create table qr_logos (
      account_id uuid not null primary key
        constraint qr_logos_account_id_foreign references users (id) on delete cascade,
      image bytea not null
    )`);
  }
}
