/** Visitors from a country are led elsewhere. */
export interface GeoRule {
  /** ISO 3166-1 alpha-2, upper case */
  country: string;
  url: string;
}

/** Visitors are shared out among two to four destinations. */
export interface AbTest {
  variants: { url: string; weight: number }[];
}

/** What is known of the person behind a request. Functions are asked only where a link's rules need the answer. */
export interface Visitor {
  /** ISO 3166-1 alpha-2, or null where unknown; `countryOf` is how clicks get theirs */
  country(): string | null;
  /** The same for the same visitor: A/B variants stick to it */
  id(): string;
  /** What the visitor typed into the password form */
  password?: string | undefined;
  /** What a right password gave earlier, in place of one: see Decision */
  unlock_token?: string | undefined;
}

/** What a short URL answers; made here, carried out by the short-link host in one place. */
export type Decision =
  | {
      kind: "redirect";
      link_id: string;
      location: string;
      variant: number | null;
      unlock_token?: UnlockToken;
    }
  | { kind: "password"; link_id: string; wrong: boolean }
  | { kind: "bucket"; link_id: string; page: BucketPage }
  | { kind: "gone"; reason: "inactive" | "expired" }
  | { kind: "not_found" };

/** What a bucket's page shows. Each `url` is a short one: following it is counted. */
export interface BucketPage {
  /** The page's own short URL */
  readonly url: string;
  readonly name: string;
  readonly links: readonly { readonly title: string; readonly url: string; readonly destination: string }[];
}

/** Given for a right password, so that it is not asked for again: opens this link, and ends when the password changes. */
export interface UnlockToken {
  value: string;
  /** How long it holds */
  seconds: number;
}

/** A link that is a plain redirect. */
export interface PlainRoute {
  readonly link_id: string;
  readonly destination: string;
}

export interface Redirects {
  /**
   * True where a request's Host names the short-link host or a verified custom domain: no other has anything to show.
   * 503 where the database is away and the host was never asked for.
   */
  isServed(host: string): Promise<boolean>;
  /**
   * Decides in the order active, expiry, password, geo rule, A/B variant, destination. `host` is the request's Host,
   * with or without a port; `slug` is percent-decoded, `{slug}/{number}` for a link of a bucket. Links are cached; 503
   * where the database is away and the link was never seen.
   */
  resolve(host: string, slug: string, visitor: Visitor): Promise<Decision>;
  /**
   * The hot path: a cached plain link on the service's own host, or null where `resolve` has to decide. `slug` is
   * plain ASCII; `now` in milliseconds since the epoch. Allocates nothing.
   */
  peek(slug: string, now: number): PlainRoute | null;
  /** Drops what is cached of a short URL in this process. */
  invalidate(link: { domain_id: string; slug: string }): void;
  /** Listens for changes of links. Without it, and while the connection is lost, cached links are trusted for 1 s. */
  watch(): void;
  /** Cached routes and their estimated bytes; whether changes are heard of. */
  stats(): { routes: number; bytes: number; watched: boolean };
  close(): Promise<void>;
}
