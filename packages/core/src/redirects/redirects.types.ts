import type { CountsAs } from "../clicks/log/format.ts";

/** The contents of a user agent, in the words of analytics; null where it says nothing, and for bots. */
export interface VisitorAgent {
  device: string | null;
  os: string | null;
  browser: string | null;
}

/** How a link redirects (RFC 9110 section 15.4). */
export type RedirectStatus = 301 | 302 | 307 | 308;

/** A link's preview for chats and social networks; at least one field is set. */
export interface LinkPreview {
  title: string | null;
  description: string | null;
  /** http or https URL */
  image: string | null;
}

/** The known facts about a visitor. The functions are called only if a link's rules need the answer. */
export interface Visitor {
  /** ISO 3166-1 alpha-2, or null if unknown; clicks have what `RedirectCore.countryOf` returns */
  country(): string | null;
  /** A stable id of the visitor, by which A/B variants are chosen */
  id(): string;
  /** The query of the request as it was sent, without its question mark; "" or missing if there is none */
  query?(): string;
  /** The Accept-Language header as received; "" or missing if there is none */
  language?(): string;
  /** The Referer header as received; "" or missing if there is none */
  referrer?(): string;
  /** The contents of the user agent; clicks use `agentOf` */
  agent?(): VisitorAgent;
  /** IPv4 or IPv6, in any spelling; "" or missing if unknown */
  address?(): string;
  /** The path after the slug, as sent, such as "/a/b"; "" or missing if there is none */
  path?: string | undefined;
  /** True for the programs by which chats and social networks preview a link */
  isLinkPreview?(): boolean;
  /**
   * Whether the visit counts as a bot's (see `isBotVisit`): such a visit takes none of a link's limited clicks. A person's
   * if left out
   */
  isBot?(): boolean;
  /**
   * The visitor's address or network; clients get equal shares of the time that checking passwords takes, and of requests to
   * the service that a domain was moved from, which is asked about unknown slugs only if this is given
   */
  client?: string | undefined;
  /** The visitor's input in the password form */
  password?: string | undefined;
  /** The value of the UnlockToken that a right password returned earlier */
  unlock_token?: string | undefined;
}

export interface RedirectDecision {
  kind: "redirect";
  link_id: string;
  /** ASCII */
  location: string;
  variant: number | null;
  /** 302 if missing */
  status?: RedirectStatus;
  unlock_token?: UnlockToken;
  /** How to count the visit, see RawClick */
  counts_as?: CountsAs;
}

/** The answer of a short URL, which the short-link host turns into a response. */
export type Decision =
  | RedirectDecision
  | { kind: "link_preview"; link_id: string; preview: LinkPreview }
  | { kind: "password"; link_id: string; wrong: boolean }
  | { kind: "bucket"; link_id: string; page: BucketPage }
  | { kind: "gone"; reason: "disabled" | "inactive" | "expired" | "used_up" | "blocked" }
  | { kind: "not_found" };

/** The contents of a bucket's page. Each `url` is a short one: following it is counted. */
export interface BucketPage {
  /** The page's own short URL */
  readonly url: string;
  readonly name: string;
  readonly description: string | null;
  /** `#rrggbb`; null for the colours that follow from the bucket's id */
  readonly accent_color: string | null;
  readonly avatar: Avatar | null;
  /** A contact (mailto: or tel:) has itself as `url`: it has no short URL and is not counted. */
  readonly links: readonly { readonly title: string; readonly url: string; readonly destination: string }[];
}

/** The image of a bucket's page, a square WebP image. */
export interface Avatar {
  /** Where it is served; another image has another one */
  readonly url: string;
  /** In Base64 */
  readonly image: string;
}

/** The preview of a short URL for a visitor who does not want to follow it yet. */
export type Preview =
  | {
      kind: "link";
      link_id: string;
      created_at: Date;
      title: string | null;
      /** Where a visitor without known facts is sent */
      destination: string;
      /** Where it may lead instead, depending on the visitor */
      others: string[];
    }
  | { kind: "bucket"; link_id: string; created_at: Date; page: BucketPage }
  /** A password protects where it leads */
  | { kind: "protected"; link_id: string; created_at: Date }
  | (Decision & { kind: "gone" | "not_found" });

/** Returned for a right password: opens this link without one until it expires or the password changes. */
export interface UnlockToken {
  value: string;
  /** How long it is valid */
  seconds: number;
}

/** A plain redirect, for everyone or for one visitor. */
export interface PlainRoute {
  readonly link_id: string;
  readonly destination: string;
  /** 302 if missing */
  readonly status?: RedirectStatus;
}

/** A custom domain's answers without a link. Addresses on blocked hosts are left out. */
export interface DomainSettings {
  /** Where visits to the bare domain are sent */
  readonly root_url: string | null;
  /** Where visits to unknown slugs are sent */
  readonly not_found_url: string | null;
  /** Where visits to ended links are sent */
  readonly expired_url: string | null;
  /** Files under /.well-known/, as JSON */
  readonly apple_app_site_association: string | null;
  readonly assetlinks: string | null;
}

export interface Redirects {
  /**
   * True if a request's Host is the short-link host or a verified custom domain; no other host serves anything. 503 if
   * the database is unreachable and the host was never looked up.
   */
  isServed(host: string): Promise<boolean>;
  /**
   * Decides in the order disabled, active, start, expiry, click limit, preview for bots, password, rules, geo rule, A/B
   * variant, destination; then the link's status, and what it forwards of the visit. `host` is the request's Host, with or
   * without a port; `slug` is percent-decoded, `{slug}/{number}` for a link of a bucket. Links are cached; 503 if the
   * database is unreachable and the link is not cached or has a click limit. A person's visit that a link with a limit
   * redirects has taken one of its clicks: it must be recorded, with the decision's `counts_as`.
   */
  resolve(host: string, slug: string, visitor: Visitor): Promise<Decision>;
  /** Describes a short URL without following it; `host`, `slug` and errors as in `resolve`. One read of the database. */
  preview(host: string, slug: string): Promise<Preview>;
  /** A custom domain's settings; null for the service's own host and unknown ones. Errors as in `isServed`. */
  domain(host: string): Promise<DomainSettings | null>;
  /** The avatar of the bucket with this slug, if it is named so and the bucket's page is shown; errors as in `resolve`. */
  avatar(host: string, slug: string, name: string): Promise<Avatar | null>;
  /**
   * The hot path: a cached plain link on the service's own host, or null if `resolve` has to decide. `slug` is
   * plain ASCII; `now` in milliseconds since the epoch. Allocates nothing.
   */
  peek(slug: string, now: number): PlainRoute | null;
  /**
   * Where `resolve` would redirect a visitor of a cached link on the service's own host whose options decide at once. Null if
   * there is no such link, or if it does not redirect; `slug` and `now` as in `peek`.
   */
  decideAtOnce(slug: string, now: number, visitor: Visitor): PlainRoute | null;
  /** Removes a short URL from this process's cache. */
  invalidate(link: { domain_id: string; slug: string }): void;
  /** Listens for changes of links. Without it, and while the connection is lost, cached links are trusted for 1 s. */
  watch(): void;
  /** Cached routes and their estimated bytes; whether changes are listened for, and are received. */
  stats(): { routes: number; bytes: number; watching: boolean; watched: boolean };
  close(): Promise<void>;
}
