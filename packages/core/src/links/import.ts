import type { LinkDeps } from "./call.ts";
import { createHash } from "node:crypto";
import type { Account } from "../kernel/context.ts";
import { importLinks } from "./bulk/import.ts";
import type { Importer, ImportRow } from "./import.types.ts";

/** See Importer. */
export const createImporter = (deps: LinkDeps): Importer => ({
  async importBatch(account, links) {
    const ids = links.map((link) => idOf(account, link));
    const results = await importLinks(deps, account, { links, ids, allowed: "none" });
    return results.map((result) => {
      if (result.status === "refused") return { status: "rejected", reason: result.reason };
      if (result.status === "possible") throw new Error("An import was only tried");
      return result;
    });
  },
});

/** Returns a UUID of version 8 (RFC 9562 section 5.8) from a hash of what identifies the row. */
function idOf(account: Account, { fields, occurrence }: ImportRow): string {
  const { url, slug, domain } = fields as Readonly<Record<string, unknown>>;
  const texts = [url, slug, domain].map((text) => (typeof text === "string" ? text.trim() : ""));
  const key = JSON.stringify([account.id, ...texts, occurrence]);
  const bytes = createHash("sha256").update(key).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
