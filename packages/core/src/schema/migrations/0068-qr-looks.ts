import { Migration } from "@mikro-orm/migrations";

/** How the QR code of a link looks. */
export class QrLooks extends Migration {
  override up(): void {
    this.addSql("alter table links add column qr jsonb");
  }
}
