/** A link as operators see it, whether or not it has an account. */
export interface ModeratedLink {
  id: string;
  short_url: string;
  /** Empty for a bucket's page */
  destination: string;
  title: string | null;
  click_count: number;
  is_active: 0 | 1;
  disabled_at: string | null;
  disabled_reason: string | null;
  created_at: string;
  /** The bucket that the link is a part of */
  bucket_id: string | null;
  /** Null for an anonymous link */
  account: { id: string; email: string; suspended_at: string | null } | null;
}

/** Exactly one way to find links. */
export type LinkFilter =
  /** A host, which also matches those below it, in the destination or in any rule */
  | { host: string }
  /** A slug on any domain, or a short URL */
  | { slug: string }
  | { accountId: string }
  /** Those that were made last, in the service or by an import */
  | { newest: true };

/** What operators do with links of any account. Errors are AppErrors: 400 for a bad filter, 404 for an unknown id. */
export interface Moderation {
  /** Newest first. `more` is true if there are more than `limit` (default 100). Reads all links if the filter is a host. */
  findLinks(filter: LinkFilter, limit?: number): Promise<{ links: ModeratedLink[]; more: boolean }>;
  /** Makes a link answer 410 until it is enabled; its owner cannot change or delete it. A bucket is disabled as a whole. */
  disableLink(id: string, reason: string): Promise<ModeratedLink>;
  enableLink(id: string): Promise<ModeratedLink>;
  /** Deletes a link, or the whole bucket that it is a part of. Its slug is free at once. */
  deleteLink(id: string): Promise<void>;
}
