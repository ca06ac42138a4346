import { anyRules, ruleKinds } from "./rules/rules.ts";

/**
 * Every column that cached routes depend on. A cached route is trusted until a trigger announces a change of one of
 * `watched`; a test compares these with the triggers, and with what the statements in route.ts read.
 */
export const routeColumns = {
  links: {
    /** `announce_link_change` */
    watched: ["domain_id", "slug", "destination", ...ruleKinds.map(({ column }) => column)],
    /** Never updated */
    fixed: ["id", "bucket_id", "account_id"],
    /** Shown on a bucket's page only. Code that changes them also updates the bucket's `updated_at`. */
    onPage: ["title", "position"],
  },
  buckets: {
    /** `announce_bucket_change` */
    watched: ["name", "description", "accent_color", "updated_at"],
    fixed: ["id", "account_id"],
  },
  /** Code that changes an avatar also updates the bucket's `updated_at`. */
  bucket_avatars: {
    onPage: ["bucket_id", "name", "image"],
  },
  users: {
    /** `announce_account_change` */
    watched: ["suspended_at", "deletes_at"],
    fixed: ["id", "number"],
  },
  domains: {
    /** `announce_domain_change` */
    watched: [
      "domain",
      "status",
      "root_url",
      "not_found_url",
      "expired_url",
      "apple_app_site_association",
      "assetlinks",
      "import_from",
    ],
    fixed: ["id", "account_id"],
  },
} as const;

/** What the statement for a route selects of a link. */
export const routeSelection = [
  "links.id",
  "bucket_id",
  "destination",
  ...anyRules.map(({ column, type }) => type.select(column)),
];
